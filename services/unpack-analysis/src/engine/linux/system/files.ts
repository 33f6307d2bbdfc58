import { limits } from '../../limits.ts'
import { type Api, type Apis, type Call, errno } from '../call.ts'
import type { File } from '../files.ts'
import { linkerFile } from '../linker.ts'
import { programPath } from '../stack.ts'

const create = 0x40
const ownPaths = new Set([programPath, '/proc/self/exe'])
const linkers = /^\/(?:usr\/)?lib(?:64)?\/.*ld(?:-linux|-musl)[\w.-]*$/

/** Files that programs read to detect analysis. */
const texts: Readonly<Record<string, string>> = {
  '/proc/self/status': 'Name:\tsample\nState:\tR (running)\nPid:\t4312\nPPid:\t4200\nTracerPid:\t0\n',
  '/proc/self/cmdline': `${programPath}\0`,
  '/proc/sys/kernel/osrelease': '6.1.0-21-amd64\n',
}

function fileAt({ process }: Call, path: string): File | undefined {
  if (ownPaths.has(path)) return { kind: 'program', path, content: process.file }
  if (linkers.test(path)) return { kind: 'interpreter', path, content: linkerFile() }
  const own = /^\/(?:proc\/self|dev)\/fd\/(\d+)$/.exec(path)
  if (own) return process.files.at(Number(own[1]))
  if (path === '/dev/null' || path === '/dev/tty') return { kind: 'device', path, content: Buffer.alloc(0) }
  if (path === '/proc/self/maps') return { kind: 'text', path, content: Buffer.from(mapsOf(process.space.regions)) }
  const text = texts[path]
  return text === undefined ? process.files.written(path) : { kind: 'text', path, content: Buffer.from(text) }
}

const mapsOf = (regions: readonly { start: number; size: number; name: string }[]) =>
  regions
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, size, name }) => {
      const label = name === 'program' ? programPath : name === 'stack' ? '[stack]' : ''
      return `${start.toString(16)}-${(start + size).toString(16)} rwxp 00000000 08:01 42 ${label}\n`
    })
    .join('')

const open =
  (index: number): Api =>
  (call) => {
    const path = call.text(index)
    const file = fileAt(call, path)
    if (file) return call.process.files.open(file)
    return call.word(index + 1) & create ? call.process.files.open(call.process.files.create(path)) : errno.noEntry
  }

const sizeOf = (call: Call, index: number) => Math.min(call.argument(index), limits.allocatedBytes)

const read =
  (hasOffset: boolean): Api =>
  (call) => {
    const bytes = call.process.files.read(call.word(0), sizeOf(call, 2), hasOffset ? call.argument(3) : undefined)
    if (!bytes) return errno.badFile
    return call.machine.write(call.argument(1), bytes) ? bytes.length : errno.fault
  }

const write =
  (hasOffset: boolean): Api =>
  (call) => {
    const bytes = call.machine.read(call.argument(1), Math.min(sizeOf(call, 2), limits.writtenBytes))
    return bytes ? call.process.files.write(call.word(0), bytes, hasOffset ? call.argument(3) : undefined) : errno.fault
  }

/** Transfers each buffer of an iovec list. */
const eachBuffer =
  (transfer: (call: Call, at: number, size: number) => number): Api =>
  (call) => {
    let sum = 0
    for (let index = 0; index < Math.min(call.word(2), 1_024); index++) {
      const at = call.argument(1) + index * 16
      const size = Math.min(call.machine.readPointer(at + 8), limits.writtenBytes)
      const count = transfer(call, call.machine.readPointer(at), size)
      if (count < 0) return count
      sum += count
    }
    return sum
  }

const writeBuffers = eachBuffer((call, at, size) => {
  const bytes = call.machine.read(at, size)
  return bytes ? call.process.files.write(call.word(0), bytes) : errno.fault
})

const readBuffers = eachBuffer((call, at, size) => {
  const bytes = call.process.files.read(call.word(0), size)
  return bytes && call.machine.write(at, bytes) ? bytes.length : errno.badFile
})

const readLink =
  (index: number): Api =>
  (call) => {
    if (call.text(index) !== '/proc/self/exe') return errno.invalid
    const path = Buffer.from(programPath).subarray(0, call.word(index + 2))
    return call.machine.write(call.argument(index + 1), path) ? path.length : errno.fault
  }

function state(call: Call, file: File | undefined, into: number): number {
  if (!file) return errno.noEntry
  const bytes = Buffer.alloc(144)
  bytes.writeBigUInt64LE(0x801n)
  bytes.writeBigUInt64LE(42n, 8)
  bytes.writeBigUInt64LE(1n, 16)
  bytes.writeUInt32LE(file.kind === 'device' ? 0x2190 : 0x81ed, 24)
  bytes.writeBigUInt64LE(BigInt(file.content.length), 48)
  bytes.writeBigUInt64LE(4096n, 56)
  return call.machine.write(into, bytes) ? 0 : errno.fault
}

const stateByPath: Api = (call) => state(call, fileAt(call, call.text(0)), call.argument(1))

/** A started program that the sample wrote is the packed one; any other replaces the sample. */
function start(call: Call, file: File | undefined, path: string): number {
  const { process } = call
  const quotedPath = JSON.stringify(path.slice(0, limits.textLength))
  if (file?.kind === 'written' && file.content.toString('latin1', 0, 4) === '\x7fELF') {
    process.started = file.content
    process.stop({ why: 'exit', text: `the program started ${quotedPath}, which it had written` })
  } else if (file?.kind === 'written') return errno.invalid
  else process.stop({ why: 'exit', text: `the program started ${quotedPath} in its place` })
  return 0
}

function startAt(call: Call): number {
  const path = call.text(1)
  const file = path === '' ? call.process.files.at(call.word(0)) : fileAt(call, path)
  return start(call, file, path === '' ? (file?.path ?? '') : path)
}

const checkOpen = (call: Call) => (call.process.files.at(call.word(0)) ? 0 : errno.badFile)

export const fileCalls: Apis = {
  open: open(0),
  openat: open(1),
  creat: (call) => call.process.files.open(call.process.files.create(call.text(0))),
  memfd_create: (call) => call.process.files.open(call.process.files.create(`/memfd:${call.text(0)}`)),
  read: read(false),
  pread64: read(true),
  readv: readBuffers,
  write: write(false),
  pwrite64: write(true),
  writev: writeBuffers,
  lseek: (call) =>
    call.process.files.seek(call.word(0), Number(BigInt.asIntN(64, call.machine.get('si'))), call.word(2)),
  close: (call) => (call.process.files.close(call.word(0)) ? 0 : errno.badFile),
  dup: (call) => call.process.files.duplicate(call.word(0)),
  dup2: (call) => call.process.files.duplicate(call.word(0), call.word(1)),
  dup3: (call) => call.process.files.duplicate(call.word(0), call.word(1)),
  ftruncate(call) {
    const file = call.process.files.at(call.word(0))
    if (file?.kind !== 'written') return errno.invalid
    return call.process.files.resize(file, call.argument(1)) ? 0 : errno.noMemory
  },
  fstat: (call) => state(call, call.process.files.at(call.word(0)), call.argument(1)),
  stat: stateByPath,
  lstat: stateByPath,
  newfstatat(call) {
    const path = call.text(1)
    return state(call, path === '' ? call.process.files.at(call.word(0)) : fileAt(call, path), call.argument(2))
  },
  access: (call) => (fileAt(call, call.text(0)) ? 0 : errno.noEntry),
  faccessat: (call) => (fileAt(call, call.text(1)) ? 0 : errno.noEntry),
  readlink: readLink(0),
  readlinkat: readLink(1),
  execve: (call) => start(call, fileAt(call, call.text(0)), call.text(0)),
  execveat: startAt,
  fcntl: checkOpen,
  ioctl: () => errno.noTerminal,
  fchmod: checkOpen,
  chmod: () => 0,
  unlink: () => 0,
  unlinkat: () => 0,
  mkdir: () => 0,
  chdir: () => 0,
  umask: () => 0o22,
  getcwd(call) {
    const path = Buffer.from('/home/user\0')
    return call.machine.write(call.argument(0), path) ? path.length : errno.fault
  },
  socket: (call) => call.process.files.open({ kind: 'socket', path: 'socket', content: Buffer.alloc(0) }),
  connect: checkOpen,
  bind: checkOpen,
  listen: checkOpen,
  sendto: (call) => (checkOpen(call) === 0 ? sizeOf(call, 2) : errno.badFile),
  recvfrom: checkOpen,
  setsockopt: () => 0,
  shutdown: () => 0,
}
