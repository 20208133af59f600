"""The example of a way in: it leads every public gRPC service to its pods, and browsers to the web server."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.rendered import Rendered

PUBLIC = ("lobby", "rules", "ledger")


@pytest.fixture(scope="module")
def gateway(repository: Path) -> list[Any]:
    """The objects of the component."""
    path = repository / "deploy" / "k8s" / "components" / "gateway" / "gateway.yaml"
    return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))


def of_kind(gateway: list[Any], kind: str) -> list[Any]:
    """Objects of a kind."""
    return [each for each in gateway if each["kind"] == kind]


def grpc_services(repository: Path, package: str) -> set[str]:
    """Full names of the gRPC services of a package."""
    found = set()
    for path in (repository / "proto" / "signalbox" / package).rglob("*.proto"):
        names = re.findall(r"^service (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        found |= {f"signalbox.{package}.v1.{name}" for name in names}
    return found


def test_every_public_service_has_its_route(
    gateway: list[Any], production: Rendered, repository: Path
) -> None:
    """Each gRPC service goes to the port of the Kubernetes service that has it; routing is not public."""
    (route,) = of_kind(gateway, "GRPCRoute")
    leads = {
        rule["matches"][0]["method"]["service"]: (
            rule["backendRefs"][0]["name"],
            rule["backendRefs"][0]["port"],
        )
        for rule in route["spec"]["rules"]
    }
    ports = {
        each["metadata"]["name"]: each["spec"]["ports"][0]["port"] for each in production.of_kind("Service")
    }
    assert leads == {
        service: (package, ports[package])
        for package in PUBLIC
        for service in grpc_services(repository, package)
    }


def test_pages_have_a_route_that_cuts_no_stream(gateway: list[Any], overlays: dict[str, Rendered]) -> None:
    """To the port of the web server in both overlays, which run it."""
    (route,) = of_kind(gateway, "HTTPRoute")
    (rule,) = route["spec"]["rules"]
    (backend,) = rule["backendRefs"]
    assert rule["timeouts"] == {"request": "0s"}
    for overlay in overlays.values():
        (service,) = [each for each in overlay.of_kind("Service") if each["metadata"]["name"] == "web"]
        assert backend == {"name": "web", "port": service["spec"]["ports"][0]["port"]}
        assert "web" in {each["metadata"]["name"] for each in overlay.of_kind("Deployment")}


@pytest.mark.parametrize(("kind", "listener_name"), [("GRPCRoute", "grpc"), ("HTTPRoute", "pages")])
def test_route_and_listener_belong_together(gateway: list[Any], kind: str, listener_name: str) -> None:
    """The route names the listener and its host, which is that of no other; players come in over TLS only."""
    (made,), (route,) = of_kind(gateway, "Gateway"), of_kind(gateway, kind)
    listeners = {each["name"]: each for each in made["spec"]["listeners"]}
    listener = listeners[listener_name]
    assert (listener["protocol"], listener["tls"]["mode"]) == ("HTTPS", "Terminate")
    assert route["spec"]["parentRefs"] == [{"name": made["metadata"]["name"], "sectionName": listener_name}]
    assert route["spec"]["hostnames"] == [listener["hostname"]]
    assert len({each["hostname"] for each in listeners.values()}) == len(listeners)


def test_pods_are_called_over_tls_under_the_names_in_their_certificates(
    gateway: list[Any], production: Rendered
) -> None:
    """One policy for each service, with a name that its certificate has."""
    names = {
        each["spec"]["targetRefs"][0]["name"]: each["spec"]["validation"]["hostname"]
        for each in of_kind(gateway, "BackendTLSPolicy")
    }
    certificates = {
        each["metadata"]["name"]: each["spec"].get("dnsNames", [])
        for each in production.of_kind("Certificate")
    }
    assert set(names) == {*PUBLIC, "web"}
    assert all(host in certificates[name] for name, host in names.items())


def test_the_component_renders(kustomize: list[str], repository: Path) -> None:
    """It goes together with an overlay, in the namespace of that."""
    component = repository / "deploy" / "k8s" / "components" / "gateway"
    text = (component / "kustomization.yaml").read_text(encoding="utf-8")
    assert yaml.safe_load(text)["kind"] == "Component"
    for overlay in ("laptop", "production"):
        named = (repository / "deploy" / "k8s" / "overlays" / overlay / "kustomization.yaml").read_text(
            "utf-8"
        )
        assert "components/gateway" not in named
    done = subprocess.run([*kustomize, str(component)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
