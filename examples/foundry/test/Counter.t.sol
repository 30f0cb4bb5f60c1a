// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "../src/Counter.sol";

interface L1Block {
    function number() external view returns (uint64);
    function batcherHash() external view returns (bytes32);
}

contract CounterTest {
    bool public IS_TEST = true;

    Counter constant counter = Counter(0x5FbDB2315678afecb367f032d93F642f64180aa3);
    L1Block constant l1 = L1Block(0x4200000000000000000000000000000000000015);

    function test_adds_to_the_deployed_number() external {
        require(counter.number() == 7, "the fork has another number");
        counter.add(1);
        require(counter.number() == 8, "not added");
    }

    function test_knows_its_l1() external view {
        require(block.chainid == 901, "another chain");
        require(l1.batcherHash() != 0, "no system config of the rollup");
    }
}
