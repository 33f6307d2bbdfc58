import { asFailure } from '@icosa/kernel'

/** PKCS#11 return values other than CKR_OK. */
export const CKR = {
  SLOT_ID_INVALID: 3,
  GENERAL_ERROR: 5,
  ARGUMENTS_BAD: 7,
  ATTRIBUTE_SENSITIVE: 0x11,
  ATTRIBUTE_TYPE_INVALID: 0x12,
  DATA_INVALID: 0x20,
  DATA_LEN_RANGE: 0x21,
  DEVICE_ERROR: 0x30,
  ENCRYPTED_DATA_INVALID: 0x40,
  FUNCTION_NOT_SUPPORTED: 0x54,
  KEY_HANDLE_INVALID: 0x60,
  KEY_FUNCTION_NOT_PERMITTED: 0x68,
  MECHANISM_INVALID: 0x70,
  OBJECT_HANDLE_INVALID: 0x82,
  OPERATION_ACTIVE: 0x90,
  OPERATION_NOT_INITIALIZED: 0x91,
  PIN_INCORRECT: 0xa0,
  PIN_LOCKED: 0xa4,
  SESSION_HANDLE_INVALID: 0xb3,
  TOKEN_NOT_PRESENT: 0xe0,
  USER_ALREADY_LOGGED_IN: 0x100,
  USER_NOT_LOGGED_IN: 0x101,
  USER_TYPE_INVALID: 0x103,
  BUFFER_TOO_SMALL: 0x150,
} as const

export class Refused extends Error {
  readonly answer: number

  constructor(name: keyof typeof CKR) {
    super(name)
    this.answer = CKR[name]
  }
}

/** Maps an error to a PKCS#11 return value. */
export function answerOf(error: unknown): number {
  if (error instanceof Refused) return error.answer
  const { kind } = asFailure(error)
  if (kind === 'internal') return CKR.GENERAL_ERROR
  if (kind === 'forbidden') return CKR.KEY_FUNCTION_NOT_PERMITTED
  return kind === 'notFound' ? CKR.KEY_HANDLE_INVALID : CKR.DEVICE_ERROR
}
