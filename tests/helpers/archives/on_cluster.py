"""`python -m tests.helpers.archives.on_cluster ARCHIVE`: judge it on three Ray nodes, of which one is killed.

A process of its own, since Ray keeps much open as long as its process lives.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final

import ray
from ray.cluster_utils import Cluster

from cli.archive import audit_run, ray_workers, store
from cli.archive.judging_task import Results, Task
from tests.helpers.archives.judged import judge

LOOPBACK: Final = "127.0.0.2"
"""For 127.0.0.1, Ray takes this machine's address on its network."""
NODE: Final[dict[str, Any]] = {
    "num_cpus": 1,
    "object_store_memory": 80_000_000,
    "node_ip_address": LOOPBACK,
}
KILLED: Final = 3
"""After so many results the node is killed."""


def main(place: str) -> None:
    """Judge, with a task for each match, and print the cluster's address, and how many records."""
    audit_run.TASK = 1  # type: ignore[misc]  # Final in the program
    nodes = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    others = [nodes.add_node(**NODE) for _number in range(2)]

    # Else Ray would look for that address among the nodes.
    ray.init(nodes.address, _node_ip_address=LOOPBACK, log_to_driver=False)

    def spread(tasks: Iterator[Task]) -> Iterator[tuple[Task, Results]]:
        for number, result in enumerate(ray_workers.spread(tasks, nodes.address), 1):
            if number == KILLED:
                nodes.remove_node(others[0], allow_graceful=False)
            yield result

    address, records = nodes.address, judge(store.opened(place), spread).records
    ray.shutdown()
    nodes.shutdown()
    print(address.partition(":")[0], records)


if __name__ == "__main__":
    main(sys.argv[1])
