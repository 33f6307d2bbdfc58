import { asFailure } from '@icosa/kernel'
import { answerOf, CKR, Refused } from './answers.ts'
import { decipheringMechanisms, decipheringOf } from './deciphering.ts'
import { readValue, writeAttribute } from './objects.ts'
import { maxDataBytes, type Remote } from './session.ts'
import { mechanisms, signingOf } from './signing.ts'
import { MalformedMessage, Reader, roomOf, Writer } from './wire.ts'

/** A PKCS#11 function: its number, and the type signatures of its input and output. */
interface Call {
  readonly number: number
  readonly input: string
  readonly output: string
  run(remote: Remote, from: Reader, to: Writer): void | Promise<void>
}

const slot = 1
const handshake = 'PRIVATE-GNOME-KEYRING-PKCS11-PROTOCOL-V-1'
const vendor = 'Icosa'
const tokenPresent = 1
/** Write-protected, login required, user PIN and token initialized. */
const tokenFlags = 0x2 | 0x4 | 0x8 | 0x400
const signs = 0x800
const decrypts = 0x200
const allMechanisms = [...mechanisms, ...decipheringMechanisms]
const unknown = -1
const maxTemplateItems = 64

function demandSlot(from: Reader): void {
  if (from.number() !== slot) throw new Refused('SLOT_ID_INVALID')
}

function readCount(from: Reader): number {
  const items = from.short()
  if (items > maxTemplateItems) throw new Refused('ARGUMENTS_BAD')
  return items
}

const table: readonly Call[] = [
  {
    ...{ number: 1, input: 'ayyay', output: '' },
    run(_, from) {
      if (from.bytes().toString() !== handshake) throw new Refused('GENERAL_ERROR')
    },
  },
  { ...{ number: 2, input: '', output: '' }, run: (remote) => remote.close() },
  {
    ...{ number: 3, input: '', output: 'vsusv' },
    run: (_, __, to) =>
      void to.version(2, 40).padded(vendor, 32).number(0).padded('Hardware security modules', 32).version(1, 0),
  },
  {
    ...{ number: 4, input: 'yfu', output: 'au' },
    run(_, from, to) {
      from.byte()
      to.numbers([slot], roomOf(from))
    },
  },
  {
    ...{ number: 5, input: 'u', output: 'ssuvv' },
    run(remote, from, to) {
      demandSlot(from)
      to.padded(`module ${remote.moduleName}`, 64).padded(vendor, 32).number(tokenPresent).version(1, 0).version(1, 0)
    },
  },
  {
    ...{ number: 6, input: 'u', output: 'ssssuuuuuuuuuuuvvs' },
    run(remote, from, to) {
      demandSlot(from)
      const serial = remote.moduleId.replaceAll('-', '').slice(0, 16)
      to.padded(remote.moduleName, 32).padded(vendor, 32).padded('module', 16).padded(serial, 16).number(tokenFlags)
      for (const value of [0, unknown, 0, unknown, 64, 4, unknown, unknown, unknown, unknown]) to.number(value)
      to.version(1, 0).version(1, 0).padded('', 16)
    },
  },
  {
    ...{ number: 7, input: 'ufu', output: 'au' },
    run(_, from, to) {
      demandSlot(from)
      to.numbers(allMechanisms, roomOf(from))
    },
  },
  {
    ...{ number: 8, input: 'uu', output: 'uuu' },
    run(_, from, to) {
      demandSlot(from)
      const type = from.number()
      if (!allMechanisms.includes(type)) throw new Refused('MECHANISM_INVALID')
      const [minBits, maxBits] = type < 0x1000 ? [2048, 4096] : [256, 521]
      to.number(minBits)
        .number(maxBits)
        .number(decipheringMechanisms.includes(type) ? decrypts : signs)
    },
  },
  {
    ...{ number: 10, input: 'uu', output: 'u' },
    run(remote, from, to) {
      demandSlot(from)
      to.number(remote.open((from.number() & 2) !== 0))
    },
  },
  { ...{ number: 11, input: 'u', output: '' }, run: (remote, from) => remote.close(from.number()) },
  { ...{ number: 12, input: 'u', output: '' }, run: (remote) => remote.close() },
  {
    ...{ number: 13, input: 'u', output: 'uuuu' },
    run(remote, from, to) {
      const { isWriting } = remote.session(from.number())
      const state = (isWriting ? 2 : 0) + (remote.isLoggedIn ? 1 : 0)
      to.number(slot)
        .number(state)
        .number(isWriting ? 6 : 4)
        .number(0)
    },
  },
  {
    ...{ number: 18, input: 'uuay', output: '' },
    run(remote, from) {
      remote.session(from.number())
      return remote.login(from.number(), from.bytes().toString())
    },
  },
  { ...{ number: 19, input: 'u', output: '' }, run: (remote) => remote.logout() },
  {
    ...{ number: 24, input: 'uufA', output: 'aAu' },
    run(remote, from, to) {
      remote.session(from.number())
      const object = remote.object(from.number())
      const attributes = Array.from({ length: readCount(from) }, () => ({ type: from.short(), room: from.short() }))
      to.short(attributes.length)
      const statuses = attributes.map(({ type, room }) => writeAttribute(to, object, type, room))
      if (statuses.includes('sensitive')) to.number(CKR.ATTRIBUTE_SENSITIVE)
      else if (statuses.includes('unknown')) to.number(CKR.ATTRIBUTE_TYPE_INVALID)
      else to.number(statuses.includes('short') ? CKR.BUFFER_TOO_SMALL : 0)
    },
  },
  {
    ...{ number: 26, input: 'uaA', output: '' },
    async run(remote, from) {
      const session = remote.session(from.number())
      if (session.matches) throw new Refused('OPERATION_ACTIVE')
      const template = new Map<number, Uint8Array | boolean | number>()
      for (let remaining = readCount(from); remaining > 0; remaining--) {
        const type = from.short()
        if (from.byte() === 0) continue
        from.short() // the length, which is repeated before the value
        template.set(type, readValue(type, from))
      }
      session.matches = await remote.find(template)
    },
  },
  {
    ...{ number: 27, input: 'ufu', output: 'au' },
    run(remote, from, to) {
      const { matches } = remote.session(from.number())
      if (!matches) throw new Refused('OPERATION_NOT_INITIALIZED')
      const batch = matches.splice(0, roomOf(from))
      to.numbers(batch, batch.length)
    },
  },
  {
    ...{ number: 28, input: 'u', output: '' },
    run(remote, from) {
      remote.session(from.number()).matches = undefined
    },
  },
  {
    ...{ number: 33, input: 'uMu', output: '' },
    run(remote, from) {
      const session = remote.session(from.number())
      if (!remote.isLoggedIn) throw new Refused('USER_NOT_LOGGED_IN')
      const deciphering = decipheringOf(from.short(), from, (handle) => remote.key(handle))
      if (!deciphering) throw new Refused('MECHANISM_INVALID')
      session.deciphering = deciphering
    },
  },
  {
    ...{ number: 34, input: 'uayfy', output: 'ay' },
    async run(remote, from, to) {
      const session = remote.session(from.number())
      const { deciphering } = session
      if (!deciphering) throw new Refused('OPERATION_NOT_INITIALIZED')
      const [data, room] = [from.bytes(), roomOf(from)]
      if (room < deciphering.bytes) {
        to.bytes({ length: deciphering.bytes }, 0)
        return
      }
      session.deciphering = undefined
      to.bytes(await remote.decrypt(deciphering, data), room)
    },
  },
  {
    ...{ number: 42, input: 'uMu', output: '' },
    run(remote, from) {
      const session = remote.session(from.number())
      if (!remote.isLoggedIn) throw new Refused('USER_NOT_LOGGED_IN')
      const signing = signingOf(from.short(), from, (handle) => remote.key(handle))
      if (!signing) throw new Refused('MECHANISM_INVALID')
      Object.assign(session, { signing, data: [] })
    },
  },
  {
    ...{ number: 43, input: 'uayfy', output: 'ay' },
    run: (remote, from, to) => sign(remote, from.number(), from.bytes(), roomOf(from), to),
  },
  {
    ...{ number: 44, input: 'uay', output: '' },
    run(remote, from) {
      const session = remote.session(from.number())
      if (!session.signing) throw new Refused('OPERATION_NOT_INITIALIZED')
      session.data.push(Buffer.from(from.bytes()))
      if (session.data.reduce((sum, { length }) => sum + length, 0) <= maxDataBytes) return
      session.signing = undefined
      throw new Refused('DATA_LEN_RANGE')
    },
  },
  {
    ...{ number: 45, input: 'ufy', output: 'ay' },
    run: (remote, from, to) => sign(remote, from.number(), Buffer.alloc(0), roomOf(from), to),
  },
]

const calls = new Map(table.map((call) => [call.number, call]))

/** Signs, or returns only the signature's length if the caller has no room for it yet. */
async function sign(remote: Remote, handle: number, last: Buffer, room: number, to: Writer): Promise<void> {
  const session = remote.session(handle)
  const { signing } = session
  if (!signing) throw new Refused('OPERATION_NOT_INITIALIZED')
  if (room < signing.bytes) {
    to.bytes({ length: signing.bytes }, 0)
    return
  }
  const data = Buffer.concat([...session.data, last])
  Object.assign(session, { signing: undefined, data: [] })
  to.bytes(await remote.sign(signing, data), room)
}

/** Answers one call. A malformed message ends the connection. */
export async function answer(remote: Remote, body: Buffer, onError: (error: unknown) => void): Promise<Buffer> {
  const from = new Reader(body)
  const number = from.short()
  const call = calls.get(number)
  const signature = from.text().toString('latin1')
  if (!call) return failureMessage(CKR.FUNCTION_NOT_SUPPORTED)
  if (signature !== call.input) throw new MalformedMessage(`call ${number} has the signature ${signature}`)
  const to = new Writer().short(number).text(Buffer.from(call.output))
  try {
    await call.run(remote, from, to)
    return to.toBytes()
  } catch (error) {
    if (error instanceof MalformedMessage) throw error
    if (!(error instanceof Refused) && asFailure(error).kind === 'internal') onError(error)
    return failureMessage(answerOf(error))
  }
}

const failureMessage = (returnValue: number) =>
  new Writer().short(0).text(Buffer.from('u')).number(returnValue).toBytes()
