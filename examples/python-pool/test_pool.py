"""Run by: npx devnet pool --set time.clock=instant -- python3 -m unittest"""

import json
import os
import unittest
import urllib.request
from concurrent.futures import ProcessPoolExecutor

RECIPIENT = "0x000000000000000000000000000000000000cafe"


def pool(worker, verb):
    with urllib.request.urlopen(f"{os.environ['DEVNET_POOL_URL']}/{worker}/{verb}", timeout=120) as response:
        return json.load(response)


def rpc(url, method, *params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        answer = json.load(response)
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return answer["result"]


def work(worker):
    """A process of a test runner: with pytest-xdist, its worker is $PYTEST_XDIST_WORKER."""
    env = pool(worker, "start")
    # L1 only: what one worker does, the other does not see.
    rpc(env["DEVNET_L1_RPC_URL"], "anvil_setBalance", RECIPIENT, hex(int(worker)))
    balance = int(rpc(env["DEVNET_L1_RPC_URL"], "eth_getBalance", RECIPIENT, "latest"), 16)
    return env["DEVNET_NAME"], int(rpc(env["DEVNET_L2_RPC_URL"], "eth_chainId"), 16), balance


class Workers(unittest.TestCase):
    def test_each_has_a_network(self):
        with ProcessPoolExecutor(2) as processes:
            (one, chain, first), (two, same, second) = processes.map(work, ["1", "2"])
        self.assertNotEqual(one, two)
        self.assertEqual(chain, same)
        self.assertEqual((first, second), (1, 2))
        self.assertEqual(pool("1", "stop"), {"stopped": True})


if __name__ == "__main__":
    unittest.main()
