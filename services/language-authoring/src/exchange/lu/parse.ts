import { badArgument } from '../../shapes/failures.ts'
import { type Draft, define, newDraft, toJson } from './define.ts'
import { readSentence } from './sentence.ts'

export interface Line {
  readonly number: number
  readonly indent: number
  readonly text: string
}

const maxFileBytes = 2_000_000
/** For a sentence or a definition; items of a list may be longer. */
const maxLineLength = 8_000

const properties: Readonly<Record<string, keyof Draft['app']>> = {
  'app.name': 'name',
  'app.culture': 'culture',
  'app.versionid': 'versionId',
  'app.desc': 'desc',
  'app.tokenizerversion': 'tokenizerVersion',
}

function linesOf(text: string): Line[] {
  return text.split(/\r?\n/).map((line, index) => ({
    number: index + 1,
    indent: line.replaceAll('\t', '    ').search(/\S|$/),
    text: line.trim(),
  }))
}

/**
 * Parses the .lu format, with intents as headings above their sentences, and definitions of entities that begin with `@`,
 * into the equivalent JSON document. Messages have line numbers.
 */
export function parseLu(text: string): unknown {
  if (text.length > maxFileBytes) badArgument(`A .lu file may have at most ${maxFileBytes} characters.`)
  const draft = newDraft()
  const lines = linesOf(text)
  let intent: string | undefined
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as Line
    if (line.text.startsWith('> !#')) readSetting(draft, line)
    if (line.text === '' || line.text.startsWith('>')) continue
    if (line.text.length > maxLineLength) badArgument(`Line ${line.number} has more than ${maxLineLength} characters.`)
    const [, heading] = /^##?\s*(?!#|!)(.+)$/.exec(line.text) ?? []
    if (heading !== undefined) {
      intent = heading.trim()
      draft.intents.add(intent)
    } else if (line.text.startsWith('@')) {
      const below = linesBelow(lines, index)
      define(draft, line, below)
      index += below.length
    } else if (/^[-*+]\s/.test(line.text) && intent !== undefined) {
      readSentence(draft, intent, line.text.slice(1).trim(), line.number)
    } else badArgument(`Line ${line.number} is not understood: ${line.text.slice(0, 100)}`)
  }
  return toJson(draft)
}

function readSetting(draft: Draft, { text }: Line): void {
  const [, name = '', value = ''] = /^> !#\s*@([\w.]+)\s*=\s*(.*)$/.exec(text) ?? []
  const property = properties[name.toLowerCase()]
  if (property) draft.app[property] = value.trim()
  const [, setting] = /^app\.settings\.(\w+)$/i.exec(name) ?? []
  if (setting !== undefined) draft.settings.push({ name: setting, value: value.trim() })
  const [, kind] = /^(intent|entity|patternAnyEntity)\.inherits$/.exec(name) ?? []
  if (kind === undefined) return
  const members = Object.fromEntries(value.split(';').map((part) => part.split(':').map((text) => text.trim())))
  const { name: model = '', domain_name = '', model_name = '' } = members
  draft.inherits[kind === 'intent' ? kind : 'entity'].set(model, { domain_name, model_name })
}

/** Lines below a definition, up to the next heading or definition. */
function linesBelow(lines: readonly Line[], at: number): Line[] {
  let end = at + 1
  while (end < lines.length && !/^[#@$?]/.test((lines[end] as Line).text)) end++
  return lines.slice(at + 1, end)
}
