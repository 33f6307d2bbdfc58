import type { Bits, Workshop } from './build.ts'
import { packElfWith, stubOf } from './linux/packer.ts'
import { linuxDownloader } from './linux/programs.ts'
import { packWith } from './packer.ts'
import { downloader } from './programs.ts'
import { stubs } from './stubs.ts'

/** A packed program and its original. */
export interface PackedSample {
  readonly name: string
  readonly original: Buffer
  readonly packed: Buffer
  /** Expected name of the packer. */
  readonly packer: RegExp
  /** Whether the packer adds imports. */
  readonly addsImports?: true
}

const methods = ['nrv2b', 'nrv2d', 'nrv2e', 'lzma'] as const
const upx = /^UPX$/
const unknown = /^unknown/

/** Alters section names and signature, so that UPX itself would refuse to unpack it. */
function mangled(packed: Buffer): Buffer {
  const copy = Buffer.from(packed)
  for (const [from, to] of [
    ['UPX0', '.qaz'],
    ['UPX1', '.wsx'],
    ['UPX2', '.edc'],
    ['UPX!', 'XYZ?'],
  ] as const)
    for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 1)) copy.write(to, at, 'latin1')
  return copy
}

/** Packed by UPX with all methods, and with altered marks. */
export function* upxSamples(workshop: Workshop, bits: Bits): Generator<PackedSample> {
  const original = workshop.compile(bits, downloader())
  for (const method of methods) {
    const packed = workshop.pack(original, `--${method}`)
    yield { name: `UPX ${method}`, original, packed, packer: upx }
    if (method === 'nrv2e')
      yield { name: `UPX ${method}, marks changed`, original, packed: mangled(packed), packer: unknown }
  }
}

/** Packed by the tests' own stubs. */
export function* stubSamples(workshop: Workshop, bits: Bits): Generator<PackedSample> {
  const original = workshop.compile(bits, downloader())
  const common = { original, packer: unknown, addsImports: true } as const
  for (const [name, stub] of Object.entries(stubs))
    yield { ...common, name, packed: packWith(workshop, original, stub(bits)) }
  const xor = stubs.XOR(bits)
  const once = packWith(workshop, original, xor)
  yield { ...common, name: 'two layers', packed: packWith(workshop, once, xor, '.stub') }
  yield { ...common, name: 'UPX over XOR', packed: workshop.pack(once, '--force'), packer: upx }
}

const linuxKinds: Readonly<Record<string, readonly string[]>> = {
  static: ['-static'],
  PIE: [],
  'static PIE': ['-static-pie'],
  'not PIE': ['-no-pie'],
}

/** Packed by UPX for Linux; `few` limits methods and kinds to two each. */
export function* linuxUpxSamples(workshop: Workshop, few: boolean): Generator<PackedSample> {
  for (const [kind, options] of Object.entries(linuxKinds).slice(0, few ? 2 : undefined)) {
    const original = workshop.compileLinux(linuxDownloader(), ...options)
    for (const method of few ? (['nrv2e', 'lzma'] as const) : methods)
      yield { name: `UPX ${method}, ${kind}`, original, packed: workshop.pack(original, `--${method}`), packer: upx }
  }
}

/** Packed by the stubs that do not depend on Windows. */
export function* linuxStubSamples(workshop: Workshop): Generator<PackedSample> {
  const original = workshop.compileLinux(linuxDownloader(), '-static')
  const common = { original, packer: unknown }
  for (const name of ['XOR', 'RC4', 'push and ret'] as const)
    yield { ...common, name: `${name}, static`, packed: packElfWith(workshop, original, stubs[name](64)) }
  const once = packElfWith(workshop, original, stubs.XOR(64))
  const twice = packElfWith(workshop, once, stubs.XOR(64), stubOf(once))
  yield { ...common, name: 'two layers, static', packed: twice }
}
