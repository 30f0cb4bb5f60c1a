// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

/// @notice Length of data under FastLZ level 1 (13-bit hash table, 8 KiB window), without producing the compressed
///         bytes.
library FastLZ {
    /// @return size bytes of the compressed form
    function compressedLength(bytes memory data) internal pure returns (uint256 size) {
        assembly {
            // Three bytes at an index, the first one lowest.
            function word24(base, index) -> value {
                let w := mload(add(base, index))
                value := or(or(byte(0, w), shl(8, byte(1, w))), shl(16, byte(2, w)))
            }
            function bucket(value) -> offset {
                // 4-byte entries: hash * 4
                offset := shl(2, and(shr(19, mul(2654435769, value)), 0x1fff))
            }
            function remember(table, base, index) -> next {
                let entry := add(table, bucket(word24(base, index)))
                mstore(entry, or(and(mload(entry), not(shl(224, 0xffffffff))), shl(224, index)))
                next := add(index, 1)
            }
            // A run of n literals: a control byte for each 32.
            function literals(n) -> length {
                length := mul(33, div(n, 32))
                let rest := mod(n, 32)
                if rest { length := add(length, add(rest, 1)) }
            }

            let base := add(data, 32)
            let end := mload(data)
            let limit := 0
            if gt(end, 13) { limit := sub(end, 13) }
            let anchor := 0

            // Behind the free pointer, never kept; a fresh table must be zero.
            let table := mload(0x40)
            calldatacopy(table, calldatasize(), 32800)

            for { let at := 2 } lt(at, limit) { } {
                let found := 0
                for { } 1 { } {
                    let value := word24(base, at)
                    let entry := add(table, bucket(value))
                    let stored := mload(entry)
                    found := shr(224, stored)
                    mstore(entry, or(and(stored, not(shl(224, 0xffffffff))), shl(224, at)))
                    let distance := sub(at, found)
                    if iszero(lt(at, limit)) { break }
                    at := add(at, 1)
                    if gt(distance, 0x1fff) { continue }
                    if eq(value, word24(base, found)) { break }
                }
                if iszero(lt(at, limit)) { break }
                at := sub(at, 1)
                if gt(at, anchor) { size := add(size, literals(sub(at, anchor))) }

                // The match beyond its first three bytes; a mismatching byte counts, the end of the window does not.
                let matched := 0
                {
                    let p := add(base, add(found, 3))
                    let q := add(base, add(at, 3))
                    let span := sub(add(limit, 9), add(at, 3))
                    for { } lt(matched, span) { matched := add(matched, 1) } {
                        if xor(byte(0, mload(add(p, matched))), byte(0, mload(add(q, matched)))) {
                            matched := add(matched, 1)
                            break
                        }
                    }
                }
                let length := sub(matched, 1)
                size := add(size, mul(3, div(length, 262)))
                size := add(size, 2)
                if gt(mod(length, 262), 5) { size := add(size, 1) }

                at := remember(table, base, add(at, matched))
                at := remember(table, base, at)
                anchor := at
            }
            size := add(size, literals(sub(end, anchor)))
        }
    }
}
