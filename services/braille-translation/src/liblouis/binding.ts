import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { Failure } from '@icosa/kernel'
import type koffi from 'koffi'

/**
 * Characters per call. The pattern rules of liblouis take quadratic time for a run of quotes, and at 16,000 of them
 * their recursion overflows the stack and ends the process.
 */
export const MAX_CHARACTERS = 400

/** Cells per back-translation, for the same reason; nothing there recurses. */
export const MAX_CELLS = 2000

/** Output for a character that the table does not define: five cells that no text contains. */
export const UNDEFINED = '\u28c0\u2880\u2840\u2880\u28c0'
const UNDEFINED_RULE = 'undefined 78-8-7-8-78'

export interface Binding {
  version(): string
  /** Full paths of the tables with metadata. */
  tablePaths(): string[]
  /** Value of a table's metadata key, such as `language`. */
  metadata(path: string, key: string): string | undefined
  open(path: string): OpenTable
}

export interface OpenTable {
  /** Translates at most `MAX_CHARACTERS` to cells; undefined characters become `UNDEFINED`. */
  forward(text: string): string
  /** Translates at most `MAX_CELLS` to text. */
  backward(cells: string, unknown: 'escaped' | 'omitted'): string
}

type Translate = (
  table: Buffer,
  input: Uint32Array,
  inputLength: Int32Array,
  output: Uint32Array,
  outputLength: Int32Array,
  typeform: null,
  spacing: null,
  mode: number,
) => number

const LOG_OFF = 60_000
const DOTS = 4
const OMIT_UNKNOWN = 128

// In liblouis a cell is 0x8000 plus its dots; dots 9 to 15 are internal to tables and not part of a cell.
const CELL = 0x8000
const EIGHT_DOTS = 0xff
const VIRTUAL_DOTS = 0x7f00
const NO_VIRTUAL_DOT = 0
const TAB = 0x100
const NO_BREAK_SPACE = 0x200

const require = createRequire(import.meta.url)
let loaded: Binding | undefined

/** File names of the library. On macOS the loader does not search Homebrew's folders by itself. */
export function fileNames(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'win32') return ['liblouis.dll']
  if (platform !== 'darwin') return ['liblouis.so.20']
  return ['liblouis.20.dylib', '/opt/homebrew/lib/liblouis.20.dylib', '/usr/local/lib/liblouis.20.dylib']
}

/** Loads the library on first use, so that processes that never translate do not pay for it. */
export function binding(): Binding {
  loaded ??= load(...fileNames(process.platform))
  return loaded
}

export function load(...files: readonly string[]): Binding {
  const causes: unknown[] = []
  for (const file of files)
    try {
      return bind(require('koffi'), file)
    } catch (cause) {
      causes.push(cause)
    }
  throw new Failure(
    'unavailable',
    `Braille needs liblouis, and ${files.join(', ')} could not be loaded: install the Debian packages liblouis20 and liblouis-data, or what \`icosa doctor\` names on other systems.`,
    { cause: new AggregateError(causes) },
  )
}

function bind(ffi: typeof koffi, file: string): Binding {
  const library = ffi.load(file)
  const characterSize: () => number = library.func('int lou_charSize(void)')
  if (characterSize() !== 4) throw new Error('liblouis was built for UTF-16; UTF-32 is needed')
  const setLogLevel: (level: number) => void = library.func('void lou_setLogLevel(int level)')
  setLogLevel(LOG_OFF)

  const signature =
    '(void *tables, void *input, void *inputLength, void *output, void *outputLength, void *typeform, void *spacing, int mode)'
  const forward: Translate = library.func(`int lou_translateString${signature}`)
  const backward: Translate = library.func(`int lou_backTranslateString${signature}`)
  const addRule: (tables: string, rule: string) => number = library.func(
    'int lou_compileString(const char *tables, const char *rule)',
  )
  const version: () => string = library.func('const char *lou_version(void)')
  const listTables: () => unknown = library.func('void *lou_listTables(void)')
  const tableInfo: (table: string, key: string) => string | null = library.func(
    'lou_getTableInfo',
    ffi.disposable('str'),
    ['str', 'str'],
  )

  return {
    version,
    tablePaths() {
      const list = listTables()
      const paths: string[] = []
      for (let at = 0; list; at++) {
        const path: string | null = ffi.decode(list, at * ffi.sizeof('void *'), 'char *')
        if (path === null) break
        paths.push(path)
      }
      return paths
    },
    metadata: (path, key) => tableInfo(path, key) ?? undefined,
    open(path) {
      // A rule can only be added before the first translation, which closes the table.
      if (addRule(path, UNDEFINED_RULE) === 0) {
        throw new Failure('unavailable', `liblouis cannot read its table '${basename(path)}': reinstall liblouis-data.`)
      }
      return openTable(path, forward, backward)
    },
  }
}

// liblouis uses static memory, so calls cannot overlap and all tables can share these buffers.
const input = new Uint32Array(MAX_CELLS)
const inputLength = new Int32Array(1)
const outputLength = new Int32Array(1)
let output = new Uint32Array(2 * MAX_CHARACTERS)
const MAX_OUTPUT = 100_000

function openTable(path: string, forward: Translate, backward: Translate): OpenTable {
  const table = Buffer.from(`${path}\0`)

  function call(translate: Translate, length: number, mode: number): number {
    // liblouis copies the whole capacity, so reusing that of an earlier, longer text would be slow.
    for (let capacity = 2 * length + 64; capacity < MAX_OUTPUT; capacity *= 2) {
      if (output.length < capacity) output = new Uint32Array(capacity)
      inputLength[0] = length
      outputLength[0] = capacity
      const success = translate(table, input, inputLength, output, outputLength, null, null, mode)
      if (success === 0) break
      if (inputLength[0] === length) return outputLength[0]
    }
    // Some tables have rules with endless output; a retry would not help.
    throw new Failure('invalid', `The table '${basename(path)}' cannot translate this text: choose another table.`)
  }

  return {
    forward(text) {
      refuseOver(MAX_CHARACTERS, text)
      let length = 0
      for (let at = 0; at < text.length; at++) {
        const code = text.codePointAt(at) ?? 0
        if (code > 0xffff) at++
        input[length++] = code
      }
      return cellsOf(call(forward, length, DOTS))
    },
    backward(cells, unknown) {
      refuseOver(MAX_CELLS, cells)
      for (let at = 0; at < cells.length; at++) input[at] = CELL | (cells.charCodeAt(at) & EIGHT_DOTS)
      const length = call(backward, cells.length, unknown === 'omitted' ? DOTS | OMIT_UNKNOWN : DOTS)
      return Reflect.apply(String.fromCodePoint, undefined, output.subarray(0, length))
    },
  }
}

function refuseOver(max: number, text: string): void {
  // Writes beyond the end of the input buffer are silently dropped, and liblouis would read past it.
  if (text.length > max) throw new RangeError(`${text.length} characters in a call that takes at most ${max}`)
}

function cellsOf(length: number): string {
  let cells = 0
  for (let at = 0; at < length; at++) {
    const dots = output[at] ?? 0
    const virtual = dots & VIRTUAL_DOTS
    const visible = dots & EIGHT_DOTS
    // Tables mark a tab and a no-break space with dot 9 and dot 10. Other marks without a visible dot are leftovers.
    if (visible > 0 || virtual === NO_VIRTUAL_DOT || virtual === TAB || virtual === NO_BREAK_SPACE) {
      output[cells++] = 0x2800 | visible
    }
  }
  return Reflect.apply(String.fromCharCode, undefined, output.subarray(0, cells))
}
