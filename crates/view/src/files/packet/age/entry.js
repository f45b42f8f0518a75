// What a packet's page takes of age: sealing and opening.
import { Decrypter, Encrypter } from "age-encryption";

// A page that a browser does not trust with WebCrypto gets the library's own arithmetic: it takes that where an
// algorithm is not supported.
if (!crypto.subtle) {
  const importKey = () => { throw new DOMException("no WebCrypto on this page", "NotSupportedError"); };
  Object.defineProperty(crypto, "subtle", { value: { importKey } });
}
globalThis.age = { Decrypter, Encrypter };
