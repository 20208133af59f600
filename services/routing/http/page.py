"""The page with a form for a problem, which draws it with its best runs."""

from __future__ import annotations

from html import escape

# Nothing on the page runs, and nothing is loaded from elsewhere.
SECURITY = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
STYLE = """
body { font-family: sans-serif; margin: 2em auto; max-width: 80em; padding: 0 1em; color: #1b1b1b }
textarea { width: 100%; box-sizing: border-box; font-family: monospace }
button { margin: .6em 0; padding: .4em 1.4em; font-size: 1em }
svg { max-width: 100%; height: auto; border: 1px solid #d0d0d0 }
.fault { border-left: .3em solid #b3261e; padding: .5em 1em; background: #fbeceb }
"""


def page(problem: str, shown: str) -> str:
    """The document: the form with the text of a problem, and below it ready-made HTML."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Best runs</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{STYLE}</style></head>\n<body><h1>Best runs</h1>\n"
        '<form method="post" action="/"><label for="problem">A route problem as JSON</label>\n'
        f'<textarea id="problem" name="problem" rows="12" spellcheck="false">{escape(problem)}</textarea>\n'
        f"<button>Solve</button></form>\n{shown}</body></html>\n"
    )


def fault_in_words(detail: str, field: str) -> str:
    """HTML that says what is wrong, and where."""
    where = f"<code>{escape(field)}</code>: " if field else ""
    return f'<p class="fault">{where}{escape(detail)}</p>'
