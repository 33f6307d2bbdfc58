/** Key types, operations and algorithms of the API. */

export const keyOperations = ['sign', 'verify', 'wrap', 'unwrap', 'encrypt', 'decrypt'] as const
export type KeyOperation = (typeof keyOperations)[number]

export const keyTypes = ['RSA', 'EC', 'OKP', 'AES'] as const
export type KeyType = (typeof keyTypes)[number]

export const curves = ['P-256', 'P-384', 'P-521', 'Ed25519'] as const
export type Curve = (typeof curves)[number]

/** JOSE names. */
export const signatureAlgorithms = [
  ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512', 'EdDSA'] as const),
] as const
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number]

/** `RSA-OAEP` uses SHA-1, as supported by tokens; `AES-KW` is RFC 3394, `AES-KWP` RFC 5649. */
export const wrappingAlgorithms = ['RSA-OAEP', 'AES-KW', 'AES-KWP'] as const
export type WrappingAlgorithm = (typeof wrappingAlgorithms)[number]

export const encryptionAlgorithms = ['RSA-OAEP', 'AES-GCM'] as const
export type EncryptionAlgorithm = (typeof encryptionAlgorithms)[number]
