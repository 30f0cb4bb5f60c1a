"""Run by: npx devnet exec -- python3 -m unittest"""

import json
import os
import subprocess
import unittest
import urllib.request

RECIPIENT = "0x000000000000000000000000000000000000cafe"


def rpc(url, method, *params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        answer = json.load(response)
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return answer["result"]


class Deposit(unittest.TestCase):
    l2 = os.environ["DEVNET_L2_RPC_URL"]

    def test_arrives(self):
        subprocess.run(["devnet", "deposit", RECIPIENT, "1ether"], check=True)
        self.assertEqual(int(rpc(self.l2, "eth_getBalance", RECIPIENT, "latest"), 16), 10**18)

    def test_chain(self):
        self.assertEqual(int(rpc(self.l2, "eth_chainId"), 16), int(os.environ["DEVNET_L2_CHAIN_ID"]))


if __name__ == "__main__":
    unittest.main()
