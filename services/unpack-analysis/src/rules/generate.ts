import { type Baseline, textEntry } from './baseline.ts'
import { rareCode } from './code.ts'
import { debugRanges } from './debug.ts'
import { layoutOf } from './layout.ts'
import type { Generated, Task, UnpackedFrom } from './tasks.ts'
import { type FoundText, textsIn } from './texts.ts'

const maxTexts = 10
const maxCode = 4
const pageSize = 0x1000

/** What people who look at malware look for first. */
const telling = /https?:\/\/|\\\\|[a-z]:\\|\.(?:exe|dll|php|bin|onion)\b|@|software\\|%s|user-agent|password|cmd/i

/** Patterns that tell a program from clean ones: texts and code that these do not have. */
export function generate(task: Extract<Task, { kind: 'generate' }>, baseline: Baseline): Generated {
  const packed = task.unpacked && Buffer.from(task.unpacked.packed)
  const file = Buffer.from(task.file)
  const texts = rareTexts(withoutForeign(file, packed !== undefined), packed, task, baseline)
  const code = codeOf(file, task.unpacked, baseline)
  return [
    ...texts.map((found, index) => [`$s${index + 1}`, definition(found)] as const),
    ...code.map((pattern, index) => [`$c${index + 1}`, pattern] as const),
  ]
}

function rareTexts(
  file: Buffer,
  packed: Buffer | undefined,
  { shortest, ignored }: { shortest: number; ignored: readonly string[] },
  baseline: Baseline,
): FoundText[] {
  const passedOver = new Set(ignored)
  const candidates: { readonly found: FoundText; readonly score: number }[] = []
  for (const found of textsIn(file, shortest)) {
    if (passedOver.has(found.text) || baseline.has(textEntry(found.text))) continue
    const score = scoreOf(found.text)
    if (score > 0) candidates.push({ found, score })
  }
  const chosen: FoundText[] = []
  for (const { found } of candidates.sort((one, other) => other.score - one.score)) {
    if (chosen.length >= maxTexts) break
    if (!packed?.includes(Buffer.from(found.text, found.isWide ? 'utf16le' : 'latin1'))) chosen.push(found)
  }
  return chosen
}

/** Words and addresses rather than the letters that happen to be in code. */
function scoreOf(text: string): number {
  const letters = text.match(/[A-Za-z0-9 _.\-/\\:]/g)?.length ?? 0
  const words = text.match(/[A-Za-z]{4,}/g)?.length ?? 0
  if (letters / text.length < 0.8 || new Set(text).size < 4 || (words === 0 && !telling.test(text))) return 0
  return Math.min(text.length, 40) + (telling.test(text) ? 40 : 0)
}

const definition = ({ text, isWide }: FoundText) =>
  `"${text.replace(/[\\"]/g, (letter) => `\\${letter}`)}" ${isWide ? 'wide' : 'ascii'}`

/** Headers and tables of an unpacked file were made by this service, and debug information by a compiler. */
function withoutForeign(file: Buffer, isUnpacked: boolean): Buffer {
  const copy = Buffer.from(file)
  const ours = isUnpacked ? (layoutOf(file)?.ours ?? []) : []
  for (const { offset, size } of [...ours, ...debugRanges(file, isUnpacked)])
    copy.fill(0, offset, Math.min(offset + size, copy.length))
  return copy
}

function codeOf(file: Buffer, unpacked: UnpackedFrom | undefined, baseline: Baseline): string[] {
  const layout = layoutOf(file)
  if (!layout) return []
  const packed = unpacked && Buffer.from(unpacked.packed)
  const isExcluded = (window: Buffer) => packed?.includes(window) ?? false
  const ran = unpacked?.code.map((offset) => ({ offset, size: pageSize, shift: layout.shiftAt(offset) }))
  return rareCode(file, ran ?? layout.code, baseline, { ...layout, isExcluded }, maxCode)
}
