"""What the search for ways of freight trains works on: the track, the path so far, the ways found."""

from __future__ import annotations

from typing import NamedTuple

from services.routing.domain.network import Flags, Numbers, Words


class Track(NamedTuple):
    """The board as joined trains may travel it; see `Board`.

    `reach`: of each train. `alike`: for each the first train that is just like it. `joins`: whether it must join others.
    `starts`: where ways begin, `wanted[start, end]`: between which ends. `distance`: hexes of the shortest walks, `to_token`:
    of those to a token, `to_goal`: of those from each stop to an end wanted from the present start. `may_join`: stops where one
    train may end and the next go on, by whichever entry. `apart`: parts need only be routes each by itself, and may meet
    again where others have met. `endless`: only ways without a free end are wanted, none otherwise.
    """

    first: Numbers
    target: Numbers
    leaves: Flags
    ends: Flags
    length: Numbers
    shared: Words
    place: Numbers
    is_town: Flags
    is_end: Flags
    has_token: Flags
    ends_alike: Numbers
    links: Words
    reach: Numbers
    alike: Numbers
    joins: Flags
    to_token: Numbers
    to_goal: Numbers
    distance: Numbers
    starts: Numbers
    wanted: Flags
    same: Numbers
    first_entry: Numbers
    entries: Numbers
    may_join: Flags
    apart: bool
    endless: bool


class Frames(NamedTuple):
    """The path so far, a frame for each stop and one more for each train that goes on from another's end.

    `arc` is the arc by which it came, or what `train_mark` gives for the train that begins here. `begin`: the frame at
    which the part begins. `unused`: the trains not yet on the way, as bits, with `reserve` as reach of all.
    """

    stop: Numbers
    arc: Numbers
    following: Numbers
    left: Numbers
    token: Flags
    begin: Numbers
    unused: Numbers
    reserve: Numbers
    used: Words
    touched: Words
    visits: Numbers
    joints: Numbers
    scalars: Numbers


class Ways(NamedTuple):
    """Ways found: start, end, what is touched, the course, arcs with marks, and the next with the same start and end.

    A way replaced by another one has no end. `head`: the last with each end from the present start. See `course_width`.
    """

    start: Numbers
    end: Numbers
    touched: Words
    course: Numbers
    begin: Numbers
    arcs: Numbers
    following: Numbers
    head: Numbers
