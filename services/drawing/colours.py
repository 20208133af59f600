"""Colours of the picture: light grounds for dark text, companies in their own colours, one colour per train."""

from __future__ import annotations

TILE_GROUNDS = {
    "white": "#f7f2e3",
    "yellow": "#fbe479",
    "green": "#a9d892",
    "brown": "#d6ae80",
    "grey": "#d3d6da",
    "red": "#f4b0a2",
    "blue": "#b1d7f0",
}
OTHER_GROUND = "#efefef"
PAPER = "#ffffff"
ROUTE_COLOURS = (
    "#e6194b",
    "#2f7bff",
    "#ffd21f",
    "#2fbf4a",
    "#ff8a1f",
    "#c03be0",
    "#35d6e8",
    "#ff9fc0",
    "#b6f03a",
    "#a97142",
    "#8f8fff",
    "#f5f5f5",
    "#0f9d8a",
    "#9e1b32",
    "#aaffc3",
    "#1b2f9c",
    "#8a8a00",
    "#ffd8b1",
    "#ff3df0",
    "#8c8c8c",
)
# How much lightness colours keep when they are reused.
SHADES = (1.0, 0.62, 0.8)
LEAST_CONTRAST = 3.0

_NAMED = {
    "black": "#000000",
    "white": "#ffffff",
    "gray": "#808080",
    "grey": "#808080",
    "red": "#ff0000",
    "green": "#008000",
    "blue": "#0000ff",
    "yellow": "#ffff00",
    "orange": "#ffa500",
    "pink": "#ffc0cb",
    "brown": "#a52a2a",
    "purple": "#800080",
    "navy": "#000080",
    "lightblue": "#add8e6",
    "lightgreen": "#90ee90",
    "cyan": "#00ffff",
    "violet": "#ee82ee",
    "turquoise": "#40e0d0",
    "maroon": "#800000",
    "olive": "#808000",
    "silver": "#c0c0c0",
    "gold": "#ffd700",
    "tan": "#d2b48c",
}


def ground(colour: str) -> str:
    """The light ground of a hex, tile or value of this colour."""
    return TILE_GROUNDS.get(colour, OTHER_GROUND)


def route_colour(index: int) -> str:
    """The colour of the line of the train with this number; where there are more trains, colours come again darker."""
    again, which = divmod(index, len(ROUTE_COLOURS))
    keep = SHADES[again % len(SHADES)]
    return "#" + "".join(f"{round(part * keep):02x}" for part in bytes.fromhex(ROUTE_COLOURS[which][1:]))


def text_on(fill: str, wanted: str) -> str:
    """The colour wanted for text on `fill`, or black or white where that could not be read."""
    if contrast(fill, wanted) >= LEAST_CONTRAST:
        return wanted
    return max(("black", "white"), key=lambda colour: contrast(fill, colour))


def contrast(one: str, other: str) -> float:
    """How well two colours stand out from each other, from 1 to 21; 21 where one of them is not known."""
    lights = [_light(colour) for colour in (one, other)]
    if None in lights:
        return 21.0
    known = sorted(light for light in lights if light is not None)
    return (known[1] + 0.05) / (known[0] + 0.05)


def _light(colour: str) -> float | None:
    """Relative luminance as the web's accessibility guidelines define it."""
    digits = _NAMED.get(colour.lower(), colour).removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    try:
        parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    except ValueError:
        return None
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
