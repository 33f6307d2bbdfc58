import { badArgument } from '../../shapes/failures.ts'
import { type Draft, define, finished, newDraft } from './define.ts'
import { readSentence } from './sentence.ts'

/** A line of a .lu file, with how far it is indented. */
export interface Line {
  readonly number: number
  readonly indent: number
  readonly text: string
}

const maxFileBytes = 2_000_000
/** Of a sentence or a definition; what is listed below one may be longer. */
const maxLineLength = 8_000

const facts: Readonly<Record<string, keyof Draft['app']>> = {
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
 * The .lu format: intents as headings with sentences below them, entities as definitions that begin with `@`. Answers what
 * a JSON file would say. What is not understood is refused with the number of its line.
 */
export function parseLu(text: string): unknown {
  if (text.length > maxFileBytes) badArgument(`A .lu file may have ${maxFileBytes} characters.`)
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
      const below = belonging(lines, index)
      define(draft, line, below)
      index += below.length
    } else if (/^[-*+]\s/.test(line.text) && intent !== undefined) {
      readSentence(draft, intent, line.text.slice(1).trim(), line.number)
    } else badArgument(`Line ${line.number} is not understood: ${line.text.slice(0, 100)}`)
  }
  return finished(draft)
}

function readSetting(draft: Draft, { text }: Line): void {
  const [, name = '', value = ''] = /^> !#\s*@([\w.]+)\s*=\s*(.*)$/.exec(text) ?? []
  const fact = facts[name.toLowerCase()]
  if (fact) draft.app[fact] = value.trim()
  const [, setting] = /^app\.settings\.(\w+)$/i.exec(name) ?? []
  if (setting !== undefined) draft.settings.push({ name: setting, value: value.trim() })
  const [, kind] = /^(intent|entity|patternAnyEntity)\.inherits$/.exec(name) ?? []
  if (kind === undefined) return
  const said = Object.fromEntries(value.split(';').map((part) => part.split(':').map((one) => one.trim())))
  const { name: of = '', domain_name = '', model_name = '' } = said
  draft.inherits[kind === 'intent' ? kind : 'entity'].set(of, { domain_name, model_name })
}

/** The list below a definition: all of its lines, up to the next heading or definition. */
function belonging(lines: readonly Line[], at: number): Line[] {
  let end = at + 1
  while (end < lines.length && !/^[#@$?]/.test((lines[end] as Line).text)) end++
  return lines.slice(at + 1, end)
}
