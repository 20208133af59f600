"""The search for ways of freight trains in a compiled kernel: depth first, a train going on where another ends."""

from __future__ import annotations

import numpy as np

from services.routing.domain.joint.board import FAR
from services.routing.domain.joint.course import JOINS, NODES, NONE, PAID, PARTS, may_replace
from services.routing.domain.joint.haulstate import Frames, Track, Ways
from services.routing.domain.kernel import inner, tight
from services.routing.domain.network import Numbers, Words

FINISHED, INTERRUPTED, FULL, HALF = 0, 1, 2, 3
# Scalars of a running search. `TURN` counts the starts, each once for each train that may go first.
DEPTH, STEPS, FOUND, USED, TURN, SCALARS = 0, 1, 2, 3, 4, 5
NOT_BEGUN = -2
# So many entries of the table of distances are read in the time of a step.
ENTRIES_PER_STEP = 16


@tight
def train_mark(train: int) -> int:
    """The mark among the arcs of a way where this train begins."""
    return -1 - train


@inner
def _fill(numbers: Numbers, value: int) -> None:
    for position in range(len(numbers)):
        numbers[position] = value


@inner
def _begin(frames: Frames, track: Track, start: int, train: int) -> None:
    """Reset the search to its start, with this train first."""
    reserve = 0
    for other in range(len(track.reach)):
        reserve += track.reach[other] if other != train else 0
    frames.stop[0] = start
    frames.arc[0] = train_mark(train)
    frames.following[0] = track.first[start]
    frames.left[0] = track.reach[train]
    frames.token[0] = track.has_token[start]
    frames.begin[0] = 0
    frames.unused[0] = (1 << len(track.reach)) - 1 - (1 << train)
    frames.reserve[0] = reserve
    for word in range(track.shared.shape[1]):
        frames.used[0, word] = 0
    for word in range(track.links.shape[1]):
        frames.touched[0, word] = track.links[start, word]
    _fill(frames.visits, 0)
    _fill(frames.joints, 0)
    frames.visits[track.place[start]] = 1
    frames.joints[track.same[start]] = 1
    frames.scalars[DEPTH] = 0


@inner
def _was_in_part(frames: Frames, depth: int, place: int, track: Track) -> bool:
    """Whether the current part visits this place."""
    found = 0
    for position in range(frames.begin[depth], depth + 1):
        found += track.place[frames.stop[position]] == place
    return found > 0


@inner
def _can_follow(frames: Frames, depth: int, arc: int, track: Track) -> bool:
    """Whether the path so far may go on along `arc`."""
    target = track.target[arc]
    if track.leaves[arc] and (depth > frames.begin[depth] or (depth > 0 and not track.apart)):
        return False
    left = frames.left[depth] - track.length[arc]
    if left < 0 or (not frames.token[depth] and track.to_token[target] > left):
        return False
    if track.to_goal[target] > left + frames.reserve[depth]:
        return False
    place = track.place[target]
    if frames.visits[place] and (not track.apart or _was_in_part(frames, depth, place, track)):
        return False
    clash = np.uint64(0)
    for word in range(track.shared.shape[1]):
        clash |= frames.used[depth, word] & track.shared[arc, word]
    return bool(clash == 0)


@inner
def _push(frames: Frames, depth: int, arc: int, track: Track) -> None:
    above, target = depth + 1, track.target[arc]
    frames.stop[above] = target
    frames.arc[above] = arc
    frames.following[above] = track.first[target + 1] if track.ends[arc] else track.first[target]
    frames.left[above] = frames.left[depth] - track.length[arc]
    frames.token[above] = frames.token[depth] or track.has_token[target]
    frames.begin[above] = frames.begin[depth]
    frames.unused[above] = frames.unused[depth]
    frames.reserve[above] = frames.reserve[depth]
    for word in range(track.shared.shape[1]):
        frames.used[above, word] = frames.used[depth, word] | track.shared[arc, word]
    for word in range(track.links.shape[1]):
        frames.touched[above, word] = frames.touched[depth, word] | track.links[target, word]
    frames.visits[track.place[target]] += 1
    frames.scalars[DEPTH] = above


@inner
def _push_train(frames: Frames, depth: int, train: int, stop: int, track: Track) -> None:
    """Continue with another train from here, which is the same stop as `stop`."""
    above = depth + 1
    frames.stop[above] = stop
    frames.arc[above] = train_mark(train)
    frames.following[above] = track.first[stop]
    frames.left[above] = track.reach[train]
    frames.token[above] = track.has_token[stop]
    frames.begin[above] = above
    frames.unused[above] = frames.unused[depth] & ~(1 << train)
    frames.reserve[above] = frames.reserve[depth] - track.reach[train]
    for word in range(track.shared.shape[1]):
        frames.used[above, word] = np.uint64(0) if track.apart else frames.used[depth, word]
    for word in range(track.links.shape[1]):
        frames.touched[above, word] = frames.touched[depth, word]
    frames.visits[track.place[stop]] += 1
    frames.joints[track.same[stop]] += 1
    frames.scalars[DEPTH] = above


@inner
def _is_part(frames: Frames, depth: int, track: Track) -> bool:
    """Whether the current part is a complete route that ends here."""
    stop, begin = frames.stop[depth], frames.begin[depth]
    if depth == begin or track.is_town[stop] or not frames.token[depth]:
        return False
    alike = track.ends_alike[stop]
    return bool(alike == 0 or alike != track.ends_alike[frames.stop[begin]])


@inner
def _train_to_go_on(frames: Frames, depth: int, option: int, track: Track) -> bool:
    """Whether train number `option` may go on from here; of trains alike the first unused one does."""
    first = option
    for train in range(option, -1, -1):
        if frames.unused[depth] >> train & 1 and track.alike[train] == track.alike[option]:
            first = train
    return first == option and (frames.unused[depth] >> option & 1) == 1


@inner
def _may_join_here(frames: Frames, depth: int, track: Track) -> bool:
    stop = frames.stop[depth]
    if frames.unused[depth] == 0 or not track.may_join[stop]:
        return False
    if frames.joints[track.same[stop]] > 0 and not _may_meet_again(frames, stop, track):
        return False
    if not track.apart and track.ends[frames.arc[depth]]:
        return False
    return _is_part(frames, depth, track)


@inner
def _may_meet_again(frames: Frames, stop: int, track: Track) -> bool:
    """Whether a way may come to this stop again: where it began only if it needs no free end, and a way with free ends makes
    no circle of fewer than four parts."""
    if not track.apart:
        return False
    return track.endless or (len(track.reach) > 3 and track.same[stop] != track.same[frames.stop[0]])


@inner
def _covers(larger: Words, one: int, smaller: Words, other: int) -> bool:
    """Whether row `one` has all bits of row `other` of another table."""
    missing = np.uint64(0)
    for word in range(larger.shape[1]):
        missing |= smaller[other, word] & ~larger[one, word]
    return bool(missing == 0)


@inner
def _write_course(frames: Frames, depth: int, course: Numbers, row: int, track: Track) -> None:
    """The course of the path. Where parts make a route that one train could run only the stops matter, not their order."""
    course[row, PARTS], course[row, JOINS], course[row, PAID] = len(track.reach), 0, NONE
    part = 0
    for position in range(depth + 1):
        mark = frames.arc[position]
        if mark < 0:
            course[row, NODES + part] = track.same[frames.stop[position]]
            if track.joins[-1 - mark]:
                course[row, JOINS] |= 1 << part
            part += 1
    course[row, NODES + part] = track.same[frames.stop[depth]]
    if track.apart:
        return
    low, high = (NODES + 1, NODES + part) if part > 1 else (NODES, NODES + 2)
    for place in range(low + 1, high):
        stop, before = course[row, place], place
        while before > low and course[row, before - 1] > stop:
            course[row, before] = course[row, before - 1]
            before -= 1
        course[row, before] = stop


@inner
def _note_all(frames: Frames, depth: int, ways: Ways, track: Track) -> None:
    """Keep the way that ends here if it is wanted, one without a free end for each stop where it may be paid."""
    end, start = track.same[frames.stop[depth]], track.same[frames.stop[0]]
    if not track.endless:
        if track.wanted[frames.stop[0], frames.stop[depth]] and not frames.joints[end]:
            _note(frames, depth, NONE, ways, track)
        return
    if end == start:
        _note(frames, depth, start, ways, track)
        return
    if not frames.joints[end] or frames.joints[start] < 2:
        return
    for position in range(depth + 1):
        stop = track.same[frames.stop[position]]
        if frames.arc[position] < 0 and not _was_met(frames, position, stop, track):
            _note(frames, depth, stop, ways, track)


@inner
def _was_met(frames: Frames, depth: int, stop: int, track: Track) -> bool:
    """Whether a part before this position begins at the stop."""
    found = 0
    for position in range(depth):
        found += frames.arc[position] < 0 and track.same[frames.stop[position]] == stop
    return found > 0


@inner
def _note(frames: Frames, depth: int, paid: int, ways: Ways, track: Track) -> None:
    """Keep the way unless one that may replace it touches as much; drop those that it so replaces."""
    scalars, end = frames.scalars, frames.stop[depth]
    found, used = scalars[FOUND], scalars[USED]
    _write_course(frames, depth, ways.course, found, track)
    ways.course[found, PAID] = paid
    touched, course = frames.touched, ways.course
    before, way = NONE, ways.head[end]
    while way != NONE:
        scalars[STEPS] += 1
        following = ways.following[way]
        if _covers(ways.touched, way, touched, depth) and may_replace(course, way, found):
            return
        if _covers(touched, depth, ways.touched, way) and may_replace(course, found, way):
            ways.end[way] = NONE
            if before == NONE:
                ways.head[end] = following
            else:
                ways.following[before] = following
        else:
            before = way
        way = following
    for position in range(depth + 1):
        ways.arcs[used] = frames.arc[position]
        used += 1
    ways.start[found], ways.end[found] = frames.stop[0], end
    for word in range(touched.shape[1]):
        ways.touched[found, word] = touched[depth, word]
    ways.following[found] = ways.head[end]
    ways.head[end] = found
    ways.begin[found + 1] = used
    scalars[FOUND] = found + 1
    scalars[USED] = used


@inner
def _pop(frames: Frames, depth: int, track: Track) -> None:
    stop = frames.stop[depth]
    frames.visits[track.place[stop]] -= 1
    if frames.arc[depth] < 0:
        frames.joints[track.same[stop]] -= 1
    frames.scalars[DEPTH] = depth - 1


@inner
def _is_full(scalars: Numbers, depth: int, more: int, ways: Ways) -> bool:
    """Whether there may be no room for so many more ways that end a step further."""
    return bool(scalars[FOUND] + more >= len(ways.end) or scalars[USED] + more * (depth + 2) > len(ways.arcs))


@inner
def _aim(track: Track, start: int, head: Numbers) -> int:
    """Turn to a start: no way from it is known, and its goals are these. Returns the steps that takes."""
    _fill(head, NONE)
    _fill(track.to_goal, 0 if track.endless else FAR)
    if track.endless:
        return 1
    goals = 0
    for goal in range(len(head)):
        if track.wanted[start, goal]:
            goals += 1
            for stop in range(len(head)):
                track.to_goal[stop] = min(track.to_goal[stop], track.distance[stop, goal])
    return 1 + (1 + goals) * len(head) // ENTRIES_PER_STEP


@inner
def _search_on(frames: Frames, track: Track, ways: Ways, stop_at: int) -> int:
    """Continue the search from the present start; returns a result code."""
    scalars, trains = frames.scalars, len(track.reach)
    while scalars[DEPTH] >= 0:
        depth = scalars[DEPTH]
        if scalars[STEPS] >= stop_at:
            return INTERRUPTED
        if _is_full(scalars, depth, len(track.reach) if track.endless else 1, ways):
            return FULL
        stop = frames.stop[depth]
        last = track.first[stop + 1]
        option = frames.following[depth]
        frames.following[depth] += 1
        scalars[STEPS] += 1
        if option < last:
            if _can_follow(frames, depth, option, track):
                _push(frames, depth, option, track)
                above = depth + 1
                if frames.unused[above] == 0 and _is_part(frames, above, track):
                    _note_all(frames, above, ways, track)
            continue
        entry, train = divmod(option - last, trains)
        entry += track.first_entry[stop]
        if entry < track.first_entry[stop + 1] and _may_join_here(frames, depth, track):
            if _train_to_go_on(frames, depth, train, track):
                _push_train(frames, depth, train, track.entries[entry], track)
        else:
            _pop(frames, depth, track)
    return FINISHED


@tight
def search(frames: Frames, track: Track, ways: Ways, stop_at: int) -> int:
    """Continue the search from all starts; returns a result code. `HALF`: the ways found so far may be taken away."""
    scalars, trains = frames.scalars, len(track.reach)
    while scalars[TURN] < len(track.starts) * trains:
        turn, train = divmod(scalars[TURN], trains)
        start = track.starts[turn]
        if scalars[DEPTH] == NOT_BEGUN and track.alike[train] == train:
            if scalars[STEPS] >= stop_at:
                return INTERRUPTED
            if train == 0:
                if scalars[FOUND] > len(ways.end) // 2:
                    return HALF
                scalars[STEPS] += _aim(track, start, ways.head)
            _begin(frames, track, start, train)
        if scalars[DEPTH] >= 0:
            why = _search_on(frames, track, ways, stop_at)
            if why != FINISHED:
                return why
        scalars[DEPTH] = NOT_BEGUN
        scalars[TURN] += 1
    return FINISHED
