export * from './constants.ts'
export { Pkcs11Error } from './library.ts'
export { type Attribute, type Mechanism, numbers, openPkcs11, type Pkcs11 } from './pkcs11.ts'
