import { Failure } from '@icosa/kernel'
import { CKR } from '@icosa/pkcs11'
import type { CallName, Surroundings } from './calls.ts'

/** Answers of a library that are the caller's doing, whatever was asked. */
const wrongData: ReadonlySet<string> = new Set([
  ...['CKR_DATA_INVALID', 'CKR_DATA_LEN_RANGE', 'CKR_ENCRYPTED_DATA_INVALID', 'CKR_ENCRYPTED_DATA_LEN_RANGE'],
  ...['CKR_WRAPPED_KEY_INVALID', 'CKR_WRAPPED_KEY_LEN_RANGE', 'CKR_KEY_SIZE_RANGE', 'CKR_KEY_TYPE_INCONSISTENT'],
  ...['CKR_KEY_FUNCTION_NOT_PERMITTED', 'CKR_KEY_UNEXTRACTABLE', 'CKR_KEY_NOT_WRAPPABLE', 'CKR_MECHANISM_INVALID'],
  ...['CKR_TEMPLATE_INCONSISTENT', 'CKR_ATTRIBUTE_VALUE_INVALID'],
])

/** SoftHSM says of all that it cannot open no more than that it failed. */
const opening: ReadonlySet<CallName> = new Set(['decrypt', 'unwrap'])
const vague: ReadonlySet<string> = new Set(['CKR_GENERAL_ERROR', 'CKR_FUNCTION_FAILED', 'CKR_ARGUMENTS_BAD'])
const changing: ReadonlySet<CallName> = new Set(['create', 'make', 'load', 'open'])

/** What a library, or loading it, answered, in words that somebody can act on. */
export function refusalOf(
  { message, answer }: { readonly message: string; readonly answer?: number },
  call: CallName,
  { library, folder, keeps }: Surroundings,
): Failure {
  const name = answer === undefined ? undefined : CKR[answer]
  if (name !== undefined && (wrongData.has(name) || (opening.has(call) && vague.has(name))))
    return new Failure('invalid', `The token refuses to ${call} this: ${message}.`, { code: 'TokenRefused' })
  if (isMissing(message))
    return new Failure(
      'unavailable',
      `The PKCS#11 library ${library} cannot be loaded: install softhsm2, or set ICOSA_HSM_LIBRARY to the library of your device.`,
      { code: 'LibraryMissing' },
    )
  const where = keeps === 'sealed' && changing.has(call) ? ` See to the room and permissions of ${folder}.` : ''
  return new Failure('unavailable', `The token could not ${call}: ${message.replace(/\.$/, '')}.${where}`, {
    code: 'TokenFailed',
  })
}

const isMissing = (message: string) =>
  /Failed to load|cannot open shared object|no such file|invalid ELF|undefined symbol|Cannot find function/i.test(
    message,
  ) && !/ENOSPC|EACCES/.test(message)
