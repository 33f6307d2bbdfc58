import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isElf } from '../engine/magic.ts'

export type Bits = 32 | 64

const compilers: Readonly<Record<Bits, string>> = { 32: 'i686-w64-mingw32-gcc', 64: 'x86_64-w64-mingw32-gcc' }

/** Builds samples in a temporary folder. They are compiled and packed, and never run. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'icosa-unpack-'))
  readonly #upx = join(this.folder, 'upx')
  #count = 0

  constructor() {
    copyFileSync(fileURLToPath(import.meta.resolve('upx-linux/upx')), this.#upx)
    chmodSync(this.#upx, 0o755)
  }

  #name(ending: string): string {
    return join(this.folder, `${++this.#count}.${ending}`)
  }

  /** Compiles C for Windows; stripped unless `-g` is among the options. */
  compile(bits: Bits, source: string, ...options: readonly string[]): Buffer {
    const from = this.#name('c')
    const to = this.#name('exe')
    writeFileSync(from, source)
    const stripped = options.includes('-g') ? [] : ['-s']
    execFileSync(compilers[bits], ['-O2', ...stripped, '-o', to, from, ...options], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return readFileSync(to)
  }

  /** Compiles C for Linux. */
  compileLinux(source: string, ...options: readonly string[]): Buffer {
    const from = this.#name('c')
    const to = this.#name('elf')
    writeFileSync(from, source)
    execFileSync('gcc', ['-O2', '-s', '-o', to, from, ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
    return readFileSync(to)
  }

  /** Writes a file. */
  write(content: Buffer): { readonly path: string; readonly content: Buffer } {
    const path = this.#name('exe')
    writeFileSync(path, content, { mode: 0o644 })
    return { path, content }
  }

  /** Packs by UPX. */
  pack(file: Buffer, ...options: readonly string[]): Buffer {
    const from = this.#name('exe')
    const to = this.#name('exe')
    // UPX refuses Linux programs that are not executable.
    writeFileSync(from, file, { mode: isElf(file) ? 0o755 : 0o644 })
    execFileSync(this.#upx, ['-qqq', ...options, '-o', to, from], { stdio: ['ignore', 'ignore', 'inherit'] })
    return readFileSync(to)
  }

  /** Assembles source to machine code, with these definitions. */
  assemble(source: string, values: Readonly<Record<string, string>> = {}): Buffer {
    const from = this.#name('asm')
    const to = this.#name('bin')
    writeFileSync(from, source)
    const defined = Object.entries(values).map(([name, value]) => `-D${name}=${value}`)
    execFileSync('nasm', ['-f', 'bin', ...defined, '-o', to, from], { stdio: ['ignore', 'ignore', 'inherit'] })
    return readFileSync(to)
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
