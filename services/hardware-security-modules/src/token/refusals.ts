import { Failure } from '@icosa/kernel'
import { CKR } from '@icosa/pkcs11'
import type { CallName, TokenConfig } from './calls.ts'

/** Return values caused by the caller's input. */
const wrongData: ReadonlySet<string> = new Set([
  ...['CKR_DATA_INVALID', 'CKR_DATA_LEN_RANGE', 'CKR_ENCRYPTED_DATA_INVALID', 'CKR_ENCRYPTED_DATA_LEN_RANGE'],
  ...['CKR_WRAPPED_KEY_INVALID', 'CKR_WRAPPED_KEY_LEN_RANGE', 'CKR_KEY_SIZE_RANGE', 'CKR_KEY_TYPE_INCONSISTENT'],
  ...['CKR_KEY_FUNCTION_NOT_PERMITTED', 'CKR_KEY_UNEXTRACTABLE', 'CKR_KEY_NOT_WRAPPABLE', 'CKR_MECHANISM_INVALID'],
  ...['CKR_TEMPLATE_INCONSISTENT', 'CKR_ATTRIBUTE_VALUE_INVALID'],
])

/** SoftHSM reports undecryptable input by unspecific errors. */
const decrypting: ReadonlySet<CallName> = new Set(['decrypt', 'unwrap'])
const unspecific: ReadonlySet<string> = new Set(['CKR_GENERAL_ERROR', 'CKR_FUNCTION_FAILED', 'CKR_ARGUMENTS_BAD'])
const writing: ReadonlySet<CallName> = new Set(['create', 'make', 'load', 'open'])

/** Converts an error of the library, or of loading it, to an actionable failure. */
export function refusalOf(
  { message, answer }: { readonly message: string; readonly answer?: number },
  call: CallName,
  { library, folder, keeps }: TokenConfig,
): Failure {
  const name = answer === undefined ? undefined : CKR[answer]
  if (name !== undefined && (wrongData.has(name) || (decrypting.has(call) && unspecific.has(name))))
    return new Failure('invalid', `The token refuses to ${call} this: ${message}.`, { code: 'TokenRefused' })
  if (isMissing(message))
    return new Failure(
      'unavailable',
      `The PKCS#11 library ${library} cannot be loaded: install softhsm2, or set ICOSA_HSM_LIBRARY to the library of your device.`,
      { code: 'LibraryMissing' },
    )
  const where = keeps === 'sealed' && writing.has(call) ? ` Check free space and permissions of ${folder}.` : ''
  return new Failure('unavailable', `The token could not ${call}: ${message.replace(/\.$/, '')}.${where}`, {
    code: 'TokenFailed',
  })
}

const isMissing = (message: string) =>
  /Failed to load|cannot open shared object|no such file|invalid ELF|undefined symbol|Cannot find function/i.test(
    message,
  ) && !/ENOSPC|EACCES/.test(message)
