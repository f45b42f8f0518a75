// X25519 alone (RFC 7748), for browsers whose WebCrypto has none. `@noble/curves/ed25519.js` has the same with tables
// of the Edwards curve, which are twenty kilobytes and make it faster.
import { pow } from "@noble/curves/abstract/modular.js";
import { montgomery } from "@noble/curves/abstract/montgomery.js";

const P = 2n ** 255n - 19n;
export const x25519 = montgomery({
  P,
  type: "x25519",
  powPminus2: (x) => pow(x, P - 2n, P),
  adjustScalarBytes: (bytes) => {
    bytes[0] &= 248;
    bytes[31] &= 127;
    bytes[31] |= 64;
    return bytes;
  },
});
