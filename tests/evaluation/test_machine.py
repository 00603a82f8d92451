"""The machine that something is measured on."""

from synconfroute.evaluation.machine import load_now, this_machine


def test_this_machine_has_what_every_machine_has() -> None:
    """A processor with a name, memory, a system; its load is a share and an average."""
    machine = this_machine()
    assert machine.cpu
    assert machine.threads
    assert machine.threads >= (machine.cores or 1)
    assert machine.memory > 2**28
    assert machine.system.split()[0] in {"Linux", "Darwin", "Windows"}
    load = load_now()
    assert load.average >= 0
    assert 0 <= load.busy <= 1
