// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "../src/Counter.sol";

interface Vm {
    function startBroadcast() external;
}

contract Deploy {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function run() external {
        vm.startBroadcast();
        new Counter().add(7);
    }
}
