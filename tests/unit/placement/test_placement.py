"""Placements on made-up machines: folders as the kernel would fill them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.model import PLACEMENTS, Reason
from countci.placement import Core, Placed, Topology, choose, here, read


def machine(
    root: Path,
    cores: Sequence[str],
    *,
    name: str = "core_cpus_list",
    more: Mapping[str, str] | None = None,
) -> Path:
    """Return a root of sysfs with cores of these hardware threads: `0,4` is one core."""
    files = {}
    for threads in cores:
        for cpu in threads.split(","):
            files[f"devices/system/cpu/cpu{cpu}/topology/{name}"] = threads
            files[f"devices/system/cpu/cpu{cpu}/topology/physical_package_id"] = "0"
    for path, text in {**files, **(more or {})}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"{text}\n")
    return root


def threads(name: str, topology: Topology) -> tuple[int, ...] | str:
    """Return which hardware threads are chosen, the load's last; or why none are."""
    found = choose(name, topology)
    if isinstance(found, Reason):
        assert found.code == "not-measurable"
        assert found.text.startswith(f"{name} is not measurable on this machine: ")
        return found.text.partition(": ")[2]
    return found.cpus if found.load is None else (*found.cpus, found.load)


def test_a_machine_with_two_threads_a_core_can_do_all_of_them(tmp_path: Path) -> None:
    found = read(machine(tmp_path, ["0,4", "1,5", "2,6", "3,7"]), range(8))

    assert [core.threads for core in found.cores] == [(0, 4), (1, 5), (2, 6), (3, 7)]
    assert [threads(name, found) for name in PLACEMENTS[:3]] == [(3,), (3, 7), (2, 3)]
    assert threads("apart", found) == (2, 3)


def test_older_kernels_call_the_siblings_otherwise(tmp_path: Path) -> None:
    root = machine(tmp_path, ["0,2", "1,3"], name="thread_siblings_list")

    assert threads("one-core", read(root, range(4))) == (1, 3)


def test_one_thread_a_core_has_no_two_of_one_core(tmp_path: Path) -> None:
    found = read(machine(tmp_path, ["0", "1"]), range(2))

    said = "no core has two hardware threads that may be used (there are 2 cores)"
    assert threads("one-core", found) == said
    assert threads("separate-cores", found) == (0, 1)


def test_one_core_alone_has_no_second_one(tmp_path: Path) -> None:
    found = read(machine(tmp_path, ["0,1"]), range(2))

    assert threads("one-core", found) == (0, 1)
    assert "no two cores of one kind in one socket (there is 1 core)" in str(
        threads("separate-cores", found)
    )
    assert "no core is left for the load" in str(threads("apart", found))


def test_a_second_thread_that_may_not_be_used_is_none(tmp_path: Path) -> None:
    root = machine(tmp_path, ["0,4", "1,5"])

    assert "no core has two" in str(threads("one-core", read(root, [0, 1])))
    assert threads("one-core", read(root, [0, 1, 4])) == (0, 4)


def test_what_is_offline_is_not_there(tmp_path: Path) -> None:
    # The kernel takes an offline sibling out of the lists; its own folder may still be there.
    more = {"devices/system/cpu/online": "0-1,4", "devices/system/cpu/cpu1/topology/x": ""}
    found = read(machine(tmp_path, ["0,4", "1,5"], more=more), range(8))

    assert found.threads == (0, 1, 4)
    assert threads("one-core", found) == (0, 4)


def intel_hybrid(root: Path) -> Path:
    """Return two fast cores of two threads each, and four small ones."""
    more = {"devices/cpu_core/cpus": "0-3", "devices/cpu_atom/cpus": "4-7"}
    return machine(root, ["0,1", "2,3", "4", "5", "6", "7"], more=more)


def test_a_hybrid_machine_uses_its_fast_cores(tmp_path: Path) -> None:
    found = read(intel_hybrid(tmp_path), range(8))

    assert [threads(name, found) for name in PLACEMENTS[:3]] == [(2,), (2, 3), (0, 2)]


def test_a_fast_core_and_a_small_one_are_no_pair(tmp_path: Path) -> None:
    root = intel_hybrid(tmp_path)

    assert "no two cores of one kind" in str(threads("separate-cores", read(root, [0, 4])))
    assert threads("separate-cores", read(root, [0, 4, 5])) == (4, 5)


def test_an_arm_machine_tells_how_fast_each_core_is(tmp_path: Path) -> None:
    capacities = {0: 400, 1: 400, 2: 1024, 3: 1024}
    more = {f"devices/system/cpu/cpu{cpu}/cpu_capacity": str(n) for cpu, n in capacities.items()}
    found = read(machine(tmp_path, ["2", "3", "0", "1"], more=more), range(4))

    assert threads("separate-cores", found) == (2, 3)


def test_two_sockets_are_not_mixed(tmp_path: Path) -> None:
    more = {"devices/system/cpu/cpu1/topology/physical_package_id": "1"}
    found = read(machine(tmp_path, ["0", "1"], more=more), range(2))

    assert "in one socket" in str(threads("separate-cores", found))


@pytest.mark.parametrize(
    ("files", "groups", "quota"),
    [
        ({"fs/cgroup/cpu.max": "150000 100000"}, "0::/\n", 1.5),
        ({"fs/cgroup/cpu.max": "max 100000"}, "0::/\n", None),
        ({"fs/cgroup/a/cpu.max": "100000 100000", "fs/cgroup/a/b/cpu.max": "max 1"}, "0::/a/b", 1),
        ({"fs/cgroup/cpu.max": "100000 100000"}, "0::/gone/elsewhere\n", 1),
        (
            {
                "fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "50000",
                "fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000",
            },
            "3:memory:/x\n4:cpu,cpuacct:/a\n0::/\n",
            0.5,
        ),
        (
            {
                "fs/cgroup/cpu/cpu.cfs_quota_us": "-1",
                "fs/cgroup/cpu/cpu.cfs_period_us": "100000",
            },
            "4:cpu:/\n",
            None,
        ),
        ({}, "", None),
        ({"fs/cgroup/cpu.max": "nonsense"}, "0::/\n", None),
    ],
)
def test_the_quota_of_a_container_is_known(
    tmp_path: Path, files: dict[str, str], groups: str, quota: float | None
) -> None:
    found = read(machine(tmp_path, ["0", "1"], more=files), range(2), groups)

    assert found.quota == quota


def test_two_threads_under_a_quota_of_one_would_wait_for_each_other(tmp_path: Path) -> None:
    more = {"fs/cgroup/cpu.max": "100000 100000"}
    found = read(machine(tmp_path, ["0,2", "1,3"], more=more), range(4), "0::/\n")

    assert threads("one-thread", found) == (1,)
    said = "its control group may use 1 processor at a time, and this takes 2"
    assert threads("one-core", found) == said
    assert threads("apart", found) == said


def test_a_machine_that_tells_nothing_of_its_cores_has_one_thread(tmp_path: Path) -> None:
    found = read(tmp_path, [2, 3])

    assert threads("one-thread", found) == (3,)
    for name in ("one-core", "separate-cores"):
        assert threads(name, found) == "the kernel tells nothing of its cores"
    assert threads("apart", found) == "the kernel tells nothing of its cores"


def test_damaged_files_tell_nothing(tmp_path: Path) -> None:
    root = machine(tmp_path, ["0"])
    (root / "devices/system/cpu/cpu0/topology/core_cpus_list").write_bytes(b"\xff0-x,,-\n")

    assert read(root, [0]).cores == ()


CORES = st.lists(
    st.builds(
        lambda size, package, capacity: (size, package, capacity),
        st.integers(1, 4),
        st.integers(0, 1),
        st.sampled_from([512, 1024]),
    ),
    max_size=6,
)


@given(CORES, st.none() | st.floats(0.5, 8), st.sampled_from(PLACEMENTS))
def test_no_placement_takes_what_is_not_there_or_shares_a_core_with_its_load(
    shape: list[tuple[int, int, int]],
    quota: float | None,
    name: str,
) -> None:
    cores, start = [], 0
    for size, package, capacity in shape:
        own = tuple(range(start, start + size))
        cores.append(Core(threads=own, package=package, capacity=capacity))
        start += size
    topology = Topology(cores=tuple(cores), threads=tuple(range(start)), quota=quota)

    found = choose(name, topology)

    if isinstance(found, Placed):
        all_of_it = [*found.cpus, *([] if found.load is None else [found.load])]
        assert set(all_of_it) <= set(topology.threads)
        assert quota is None or len(all_of_it) <= quota
        of = {thread: number for number, core in enumerate(cores) for thread in core.threads}
        used = [of[cpu] for cpu in found.cpus]
        assert len(set(used)) == {"one-core": 1, "separate-cores": 2}.get(name, 1)
        assert len(found.cpus) == (2 if name in {"one-core", "separate-cores"} else 1)
        assert (found.load is not None) == (name == "apart")
        assert found.load is None or of[found.load] not in used


def test_this_machine_has_a_thread_at_least() -> None:
    found = choose("one-thread", here())

    assert isinstance(found, Placed)
    assert set(found.cpus) <= os.sched_getaffinity(0)
