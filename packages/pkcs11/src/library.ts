import { createRequire } from 'node:module'
import type koffi from 'koffi'
import { CKR } from './constants.ts'

/** A library function returned an error. */
export class Pkcs11Error extends Error {
  readonly answer: number

  constructor(name: string, answer: number) {
    super(`${name} returned ${CKR[answer] ?? `0x${answer.toString(16)}`}`)
    this.answer = answer
  }

  is(name: string): boolean {
    return CKR[this.answer] === name
  }
}

/** In the order of PKCS#11 2.40's function list, which a library must export. */
const functionNames = [
  ...['Initialize', 'Finalize', 'GetInfo', 'GetFunctionList', 'GetSlotList', 'GetSlotInfo', 'GetTokenInfo'],
  ...['GetMechanismList', 'GetMechanismInfo', 'InitToken', 'InitPIN', 'SetPIN', 'OpenSession', 'CloseSession'],
  ...['CloseAllSessions', 'GetSessionInfo', 'GetOperationState', 'SetOperationState', 'Login', 'Logout'],
  ...['CreateObject', 'CopyObject', 'DestroyObject', 'GetObjectSize', 'GetAttributeValue', 'SetAttributeValue'],
  ...['FindObjectsInit', 'FindObjects', 'FindObjectsFinal', 'EncryptInit', 'Encrypt', 'EncryptUpdate', 'EncryptFinal'],
  ...['DecryptInit', 'Decrypt', 'DecryptUpdate', 'DecryptFinal', 'DigestInit', 'Digest', 'DigestUpdate', 'DigestKey'],
  ...['DigestFinal', 'SignInit', 'Sign', 'SignUpdate', 'SignFinal', 'SignRecoverInit', 'SignRecover', 'VerifyInit'],
  ...['Verify', 'VerifyUpdate', 'VerifyFinal', 'VerifyRecoverInit', 'VerifyRecover', 'DigestEncryptUpdate'],
  ...['DecryptDigestUpdate', 'SignEncryptUpdate', 'DecryptVerifyUpdate', 'GenerateKey', 'GenerateKeyPair', 'WrapKey'],
  ...['UnwrapKey', 'DeriveKey', 'SeedRandom', 'GenerateRandom'],
]

const require = createRequire(import.meta.url)
/** A garbage-collected library is unloaded, even if addresses of its functions are still in use. */
const loaded: unknown[] = []

type Call = (...values: unknown[]) => void
interface Native {
  (...values: unknown[]): number
  async(...values: unknown[]): void
}
type Later = (...values: unknown[]) => Promise<void>

/** Functions of a PKCS#11 library by name: synchronous ones, and slow ones that run on a thread. */
export function openLibrary(file: string) {
  const ffi: typeof koffi = require('koffi')
  ffi.struct('IcosaAttribute', { type: 'ulong', pValue: 'void *', ulValueLen: 'ulong' })
  ffi.struct('IcosaMechanism', { mechanism: 'ulong', pParameter: 'void *', ulParameterLen: 'ulong' })
  const pointers = { create: 'void *', destroy: 'void *', lock: 'void *', unlock: 'void *' }
  ffi.struct('IcosaInit', { ...pointers, flags: 'ulong', reserved: 'void *' })
  const [iv, aad] = [
    { pIv: 'void *', ulIvLen: 'ulong', ulIvBits: 'ulong' },
    { pAAD: 'void *', ulAADLen: 'ulong' },
  ]
  ffi.struct('IcosaGcm', { ...iv, ...aad, ulTagBits: 'ulong' })
  ffi.struct('IcosaGcmMechanism', { mechanism: 'ulong', pParameter: 'IcosaGcm *', ulParameterLen: 'ulong' })

  const list: unknown[] = [null]
  const library = ffi.load(file)
  loaded.push(library)
  const code = library.func('ulong C_GetFunctionList(_Out_ void **list)')(list)
  if (code !== 0) throw new Pkcs11Error('C_GetFunctionList', code)
  let prototypes = 0
  const inUse = new Set<readonly unknown[]>()
  const functionOf = (name: string, parameters: readonly string[]) => {
    const prototype = ffi.proto(`ulong Icosa${name}${prototypes++}(${parameters.join(', ')})`)
    const at = 8 + 8 * functionNames.indexOf(name) // after the version
    return ffi.decode(ffi.decode(list[0], at, 'void *'), prototype) as Native
  }
  const check = (name: string, code: number) => {
    if (code !== 0) throw new Pkcs11Error(`C_${name}`, code)
  }
  return {
    now(name: string, ...parameters: string[]): Call {
      const call = functionOf(name, parameters)
      return (...values) => check(name, call(...values))
    },
    later(name: string, ...parameters: string[]): Later {
      const call = functionOf(name, parameters)
      return async (...values) => {
        // Keeps the buffers alive while the thread has their addresses.
        inUse.add(values)
        try {
          const code = await new Promise<number>((resolve, reject) =>
            call.async(...values, (error: Error | null, code: number) => (error ? reject(error) : resolve(code))),
          )
          check(name, code)
        } finally {
          inUse.delete(values)
        }
      }
    },
  }
}
