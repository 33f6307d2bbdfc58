import { asFailure } from '@icosa/kernel'
import { answerOf, CKR, Refused } from './answers.ts'
import { decipheringMechanisms, decipheringOf } from './deciphering.ts'
import { readValue, tell } from './objects.ts'
import { dataLimit, type Remote } from './session.ts'
import { mechanisms, signingOf } from './signing.ts'
import { MalformedMessage, Reader, roomOf, Writer } from './wire.ts'

/** A function of PKCS#11: its number on the wire, the types of what it is given and answers, and what it does. */
interface Call {
  readonly number: number
  readonly given: string
  readonly answers: string
  run(remote: Remote, from: Reader, to: Writer): void | Promise<void>
}

const slot = 1
const handshake = 'PRIVATE-GNOME-KEYRING-PKCS11-PROTOCOL-V-1'
const maker = 'Icosa'
const tokenPresent = 1
/** A token to log in to, which makes and changes nothing from here. */
const tokenFlags = 0x2 | 0x4 | 0x8 | 0x400
const signs = 0x800
const decrypts = 0x200
const allMechanisms = [...mechanisms, ...decipheringMechanisms]
const unknown = -1
const templateLimit = 64

function demandSlot(from: Reader): void {
  if (from.number() !== slot) throw new Refused('SLOT_ID_INVALID')
}

function count(from: Reader): number {
  const items = from.short()
  if (items > templateLimit) throw new Refused('ARGUMENTS_BAD')
  return items
}

const table: readonly Call[] = [
  {
    ...{ number: 1, given: 'ayyay', answers: '' },
    run(_, from) {
      if (from.bytes().toString() !== handshake) throw new Refused('GENERAL_ERROR')
    },
  },
  { ...{ number: 2, given: '', answers: '' }, run: (remote) => remote.close() },
  {
    ...{ number: 3, given: '', answers: 'vsusv' },
    run: (_, __, to) =>
      void to.version(2, 40).padded(maker, 32).number(0).padded('Hardware security modules', 32).version(1, 0),
  },
  {
    ...{ number: 4, given: 'yfu', answers: 'au' },
    run(_, from, to) {
      from.byte()
      to.numbers([slot], roomOf(from))
    },
  },
  {
    ...{ number: 5, given: 'u', answers: 'ssuvv' },
    run(remote, from, to) {
      demandSlot(from)
      to.padded(`module ${remote.moduleName}`, 64).padded(maker, 32).number(tokenPresent).version(1, 0).version(1, 0)
    },
  },
  {
    ...{ number: 6, given: 'u', answers: 'ssssuuuuuuuuuuuvvs' },
    run(remote, from, to) {
      demandSlot(from)
      const serial = remote.moduleId.replaceAll('-', '').slice(0, 16)
      to.padded(remote.moduleName, 32).padded(maker, 32).padded('module', 16).padded(serial, 16).number(tokenFlags)
      for (const value of [0, unknown, 0, unknown, 64, 4, unknown, unknown, unknown, unknown]) to.number(value)
      to.version(1, 0).version(1, 0).padded('', 16)
    },
  },
  {
    ...{ number: 7, given: 'ufu', answers: 'au' },
    run(_, from, to) {
      demandSlot(from)
      to.numbers(allMechanisms, roomOf(from))
    },
  },
  {
    ...{ number: 8, given: 'uu', answers: 'uuu' },
    run(_, from, to) {
      demandSlot(from)
      const type = from.number()
      if (!allMechanisms.includes(type)) throw new Refused('MECHANISM_INVALID')
      const [least, most] = type < 0x1000 ? [2048, 4096] : [256, 521]
      to.number(least)
        .number(most)
        .number(decipheringMechanisms.includes(type) ? decrypts : signs)
    },
  },
  {
    ...{ number: 10, given: 'uu', answers: 'u' },
    run(remote, from, to) {
      demandSlot(from)
      to.number(remote.open((from.number() & 2) !== 0))
    },
  },
  { ...{ number: 11, given: 'u', answers: '' }, run: (remote, from) => remote.close(from.number()) },
  { ...{ number: 12, given: 'u', answers: '' }, run: (remote) => remote.close() },
  {
    ...{ number: 13, given: 'u', answers: 'uuuu' },
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
    ...{ number: 18, given: 'uuay', answers: '' },
    run(remote, from) {
      remote.session(from.number())
      return remote.login(from.number(), from.bytes().toString())
    },
  },
  { ...{ number: 19, given: 'u', answers: '' }, run: (remote) => remote.logout() },
  {
    ...{ number: 24, given: 'uufA', answers: 'aAu' },
    run(remote, from, to) {
      remote.session(from.number())
      const object = remote.object(from.number())
      const asked = Array.from({ length: count(from) }, () => ({ type: from.short(), room: from.short() }))
      to.short(asked.length)
      const told = asked.map(({ type, room }) => tell(to, object, type, room))
      if (told.includes('sensitive')) to.number(CKR.ATTRIBUTE_SENSITIVE)
      else if (told.includes('unknown')) to.number(CKR.ATTRIBUTE_TYPE_INVALID)
      else to.number(told.includes('short') ? CKR.BUFFER_TOO_SMALL : 0)
    },
  },
  {
    ...{ number: 26, given: 'uaA', answers: '' },
    async run(remote, from) {
      const session = remote.session(from.number())
      if (session.found) throw new Refused('OPERATION_ACTIVE')
      const template = new Map<number, Uint8Array | boolean | number>()
      for (let left = count(from); left > 0; left--) {
        const type = from.short()
        if (from.byte() === 0) continue
        from.short() // its length, which it says again
        template.set(type, readValue(type, from))
      }
      session.found = await remote.find(template)
    },
  },
  {
    ...{ number: 27, given: 'ufu', answers: 'au' },
    run(remote, from, to) {
      const { found } = remote.session(from.number())
      if (!found) throw new Refused('OPERATION_NOT_INITIALIZED')
      const some = found.splice(0, roomOf(from))
      to.numbers(some, some.length)
    },
  },
  {
    ...{ number: 28, given: 'u', answers: '' },
    run(remote, from) {
      remote.session(from.number()).found = undefined
    },
  },
  {
    ...{ number: 33, given: 'uMu', answers: '' },
    run(remote, from) {
      const session = remote.session(from.number())
      if (!remote.isLoggedIn) throw new Refused('USER_NOT_LOGGED_IN')
      const deciphering = decipheringOf(from.short(), from, (handle) => remote.key(handle))
      if (!deciphering) throw new Refused('MECHANISM_INVALID')
      session.deciphering = deciphering
    },
  },
  {
    ...{ number: 34, given: 'uayfy', answers: 'ay' },
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
    ...{ number: 42, given: 'uMu', answers: '' },
    run(remote, from) {
      const session = remote.session(from.number())
      if (!remote.isLoggedIn) throw new Refused('USER_NOT_LOGGED_IN')
      const signing = signingOf(from.short(), from, (handle) => remote.key(handle))
      if (!signing) throw new Refused('MECHANISM_INVALID')
      Object.assign(session, { signing, data: [] })
    },
  },
  {
    ...{ number: 43, given: 'uayfy', answers: 'ay' },
    run: (remote, from, to) => sign(remote, from.number(), from.bytes(), roomOf(from), to),
  },
  {
    ...{ number: 44, given: 'uay', answers: '' },
    run(remote, from) {
      const session = remote.session(from.number())
      if (!session.signing) throw new Refused('OPERATION_NOT_INITIALIZED')
      session.data.push(Buffer.from(from.bytes()))
      if (session.data.reduce((sum, { length }) => sum + length, 0) <= dataLimit) return
      session.signing = undefined
      throw new Refused('DATA_LEN_RANGE')
    },
  },
  {
    ...{ number: 45, given: 'ufy', answers: 'ay' },
    run: (remote, from, to) => sign(remote, from.number(), Buffer.alloc(0), roomOf(from), to),
  },
]

const calls = new Map(table.map((call) => [call.number, call]))

/** Who only asks how long the signature will be has not used the key yet. */
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

/** Answers one call. A message that is none of this protocol ends the connection. */
export async function answer(remote: Remote, body: Buffer, onError: (error: unknown) => void): Promise<Buffer> {
  const from = new Reader(body)
  const number = from.short()
  const call = calls.get(number)
  const given = from.text().toString('latin1')
  if (!call) return failed(CKR.FUNCTION_NOT_SUPPORTED)
  if (given !== call.given) throw new MalformedMessage(`the call ${number} was given ${given}`)
  const to = new Writer().short(number).text(Buffer.from(call.answers))
  try {
    await call.run(remote, from, to)
    return to.toBytes()
  } catch (error) {
    if (error instanceof MalformedMessage) throw error
    if (!(error instanceof Refused) && asFailure(error).kind === 'internal') onError(error)
    return failed(answerOf(error))
  }
}

const failed = (answered: number) => new Writer().short(0).text(Buffer.from('u')).number(answered).toBytes()
