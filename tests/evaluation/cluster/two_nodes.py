"""A Ray cluster of two nodes on loopback, for as long as its stdin is open.

It says "ready" when both nodes are there. A line "kill" kills the second one, "add" brings another;
each is answered with "done".
"""

import socket
import sys
import time

from ray.cluster_utils import Cluster


def main(port: int) -> None:
    """Serve Ray Client at a port."""
    node = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args={"ray_client_server_port": port, **node})
    second = cluster.add_node(**node)
    while not listens(port):
        time.sleep(0.1)
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "kill":
            cluster.remove_node(second, allow_graceful=False)
        else:
            second = cluster.add_node(**node)
        print("done", flush=True)
    cluster.shutdown()


def listens(port: int) -> bool:
    """True once Ray Client can be reached."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main(int(sys.argv[1]))
