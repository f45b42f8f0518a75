// Keys of kinds that no shelf has: post-quantum ones and those of hardware tokens.
export const MLKEM768P256 = undefined, MLKEM768X25519 = undefined, p256 = undefined;
