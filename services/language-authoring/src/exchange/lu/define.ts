import type { Label } from '../../engine/document.ts'
import { badArgument } from '../../shapes/failures.ts'
import type { Line } from './parse.ts'

interface Child {
  readonly name: string
  readonly children: Child[]
  readonly features: Feature[]
}

type Feature = { readonly featureName: string } | { readonly modelName: string; readonly isRequired?: true }

export interface Defined {
  readonly kind: string
  readonly name: string
  readonly roles: string[]
  readonly uses: string[]
  readonly value?: string
  /** What else stands before the equals sign: marks of a phrase list. */
  readonly marks: string
  readonly below: readonly Line[]
}

/** What a .lu file has said so far. */
export interface Draft {
  readonly app: Partial<Record<'name' | 'culture' | 'versionId' | 'desc' | 'tokenizerVersion', string>>
  readonly settings: { readonly name: string; readonly value: string }[]
  /** Of which model of a domain an intent or an entity is a copy. */
  readonly inherits: Record<'intent' | 'entity', Map<string, object>>
  readonly intents: Set<string>
  readonly defined: Map<string, Defined>
  readonly utterances: { readonly text: string; readonly intent: string; readonly entities: Label[] }[]
  readonly patterns: { readonly pattern: string; readonly intent: string }[]
  readonly intentFeatures: Map<string, string[]>
}

export const newDraft = (): Draft => ({
  app: {},
  settings: [],
  inherits: { intent: new Map(), entity: new Map() },
  intents: new Set(),
  defined: new Map(),
  utterances: [],
  patterns: [],
  intentFeatures: new Map(),
})

const kinds = ['ml', 'list', 'regex', 'prebuilt', 'composite', 'patternany', 'phraselist', 'intent']
const quoted = /^(?:"([^"]+)"|'([^']+)'|([^\s=]+))\s*/

/** `@ ml Name hasRoles a, b usesFeatures x, y = value`. */
export function define(draft: Draft, line: Line, below: readonly Line[]): void {
  const wrong = () => badArgument(`Line ${line.number} is not understood: ${line.text.slice(0, 100)}`)
  const [, kind = '', rest = ''] = /^@\s*(\w+)\s+(.+)$/.exec(line.text) ?? wrong()
  if (!kinds.includes(kind.toLowerCase())) wrong()
  const [whole = '', a, b, c = ''] = quoted.exec(rest) ?? wrong()
  const after = rest.slice(whole.length)
  const equals = after.indexOf('=')
  const head = (equals < 0 ? after : after.slice(0, equals)).replaceAll(/\s+/g, ' ').trim()
  const name = a ?? b ?? c
  const listed = (word: RegExp) => (word.exec(` ${head}`)?.[1] ?? '').split(',').map(unquoted).filter(Boolean)
  const defined: Defined = {
    kind: kind.toLowerCase(),
    name: name.replace(/\(interchangeable\)$/i, ''),
    roles: listed(/ hasroles? (.+?)(?= usesfeatures? |$)/i),
    uses: listed(/ usesfeatures? (.+?)(?= hasroles? |$)/i),
    ...(equals >= 0 && { value: after.slice(equals + 1).trim() }),
    marks: `${name} ${head}`.toLowerCase(),
    below: below.filter(({ text }) => text !== '' && !text.startsWith('>')),
  }
  const rolesSoFar = draft.defined.get(defined.name)?.roles ?? []
  if (defined.kind === 'intent') draft.intentFeatures.set(defined.name, defined.uses)
  else draft.defined.set(defined.name, { ...defined, roles: [...new Set([...defined.roles, ...rolesSoFar])] })
}

const unquoted = (name: string) => name.trim().replaceAll(/^["']|["']$/g, '')

const textOf = ({ text, number }: Line) =>
  /^[-*+]\s*(.+)$/.exec(text)?.[1]?.trim() ?? badArgument(`Line ${number} is not part of a list: ${text.slice(0, 100)}`)

/** What a JSON file would say. */
export function finished(draft: Draft): unknown {
  const { app, intents, intentFeatures, utterances, patterns } = draft
  const parts = new Set([...draft.defined.values()].flatMap(({ below }) => below.map(partNameOf)))
  for (const { entities: labels } of utterances)
    for (const label of labels) if (!parts.has(label.entity)) defineMissing(draft, label)
  const all = [...draft.defined.values()]
  const of = (kind: string) => all.filter((one) => one.kind === kind)
  const featuresOf = (names: readonly string[]): Feature[] =>
    names.map((name) => (draft.defined.get(name)?.kind === 'phraselist' ? { featureName: name } : { modelName: name }))
  const { name = '', culture = 'en-us', versionId = '0.1', desc = '', tokenizerVersion = '1.0.0' } = app
  const inherits = (kind: 'intent' | 'entity', one: string) => {
    const from = draft.inherits[kind].get(one)
    return from && { inherits: from }
  }
  const entities = of('ml').map((one) => ({
    name: one.name,
    roles: one.roles,
    features: featuresOf(one.uses),
    children: childrenOf(one.below, featuresOf),
    ...inherits('entity', one.name),
  }))
  return {
    luis_schema_version: '7.0.0',
    versionId,
    name,
    desc,
    culture,
    tokenizerVersion,
    intents: [...intents].map((one) => ({
      name: one,
      features: featuresOf(intentFeatures.get(one) ?? []),
      ...inherits('intent', one),
    })),
    entities,
    hierarchicals: [],
    composites: of('composite').map((one) => ({
      name: one.name,
      roles: one.roles,
      features: featuresOf(one.uses),
      children: partsOf(one).map((part) => ({ name: part })),
      ...inherits('entity', one.name),
    })),
    closedLists: of('list').map((one) => ({
      name: one.name,
      roles: one.roles,
      subLists: subListsOf(one.below),
      ...inherits('entity', one.name),
    })),
    patternAnyEntities: of('patternany').map((one) => ({
      name: one.name,
      roles: one.roles,
      explicitList: [],
      ...inherits('entity', one.name),
    })),
    regex_entities: of('regex').map((one) => ({ name: one.name, roles: one.roles, regexPattern: patternOf(one) })),
    prebuiltEntities: of('prebuilt').map((one) => ({ name: one.name, roles: one.roles })),
    phraselists: of('phraselist').map((one) => ({
      name: one.name,
      mode: one.marks.includes('(interchangeable)'),
      words: one.below.map(textOf).join(','),
      activated: !/ disabled(,| |$)/.test(one.marks),
      enabledForAllModels: !one.marks.includes('disabledforallmodels'),
    })),
    regex_features: [],
    patterns,
    utterances: utterances.map(({ entities: labels, ...rest }) => ({ ...rest, entities: settled(labels, entities) })),
    settings: draft.settings,
  }
}

const partsOf = ({ value = '', below }: Defined): string[] =>
  /^\[(.*)\]$/
    .exec(value)?.[1]
    ?.split(',')
    .map((one) => one.trim())
    .filter(Boolean) ?? below.map(textOf)

const patternOf = ({ name, value = '' }: Defined): string =>
  /^\/(.*)\/$/.exec(value)?.[1] ?? badArgument(`The regex entity '${name}' has no expression between slashes.`)

/** A label may name a role alone. An entity that is nowhere defined is learnt. */
function defineMissing(draft: Draft, label: Label): void {
  const ofRole = () => [...draft.defined.values()].find(({ roles }) => roles.includes(label.entity))
  const known = draft.defined.get(label.entity) ?? ofRole()
  if (known && known.name !== label.entity) {
    label.role = label.entity
    label.entity = known.name
  }
  const { entity: name, role } = label
  if (!known) draft.defined.set(name, { kind: 'ml', name, roles: role ? [role] : [], uses: [], marks: '', below: [] })
  else if (role && !known.roles.includes(role)) known.roles.push(role)
}

/** What is labelled inside others is part of the nearest that has such a part; otherwise it is a label of its own. */
function settled(labels: readonly Label[], entities: readonly Child[]): Label[] {
  const top: Label[] = []
  const place = ({ children = [], ...label }: Label, around: readonly { into: Label; parts: readonly Child[] }[]) => {
    const whole = around.findLast(({ parts }) => parts.some(({ name }) => name === label.entity))
    const own = (whole?.parts ?? entities).find(({ name }) => name === label.entity)
    const into: Label = label
    if (whole) whole.into.children = [...(whole.into.children ?? []), into]
    else top.push(into)
    for (const child of children) place(child, [...around, { into, parts: own?.children ?? [] }])
  }
  for (const label of labels) place(label, [])
  return top
}

/** `- Oslo :` and below it, further in, other words for it. */
function subListsOf(lines: readonly Line[]) {
  const subLists: { canonicalForm: string; list: string[] }[] = []
  for (const line of lines) {
    const text = textOf(line)
    if (/(?<!\\):$/.test(text)) subLists.push({ canonicalForm: unescaped(text.slice(0, -1)), list: [] })
    else
      subLists.at(-1)?.list.push(
        ...text
          .split(/(?<!\\)[;,]/)
          .map(unescaped)
          .filter(Boolean),
      )
  }
  return subLists
}

const unescaped = (text: string) => text.replaceAll(/\\([\\;,:])/g, '$1').trim()

const part = /^@\s*("[^"]+"|\S+)\s+("[^"]+"|'[^']+'|\S+)\s*(.*)$/
const partNameOf = (line: Line): string => unquoted(part.exec(line.text.slice(1).trim())?.[2] ?? '')

/** Parts of a learnt entity: `- @ ml Part usesFeature x`, each further in than what it is part of. */
function childrenOf(lines: readonly Line[], featuresOf: (names: readonly string[]) => Feature[]): Child[] {
  const top: Child[] = []
  const open: { readonly indent: number; readonly children: Child[] }[] = [{ indent: -1, children: top }]
  for (const line of lines) {
    const [, kind = '', name = '', rest = ''] =
      part.exec(textOf(line)) ?? badArgument(`Line ${line.number} is no part of an entity: ${line.text.slice(0, 100)}`)
    const uses = /usesfeatures?\s+(.+)$/i.exec(rest)?.[1]?.split(',').map(unquoted) ?? []
    const type = unquoted(kind)
    const isPlain = type.toLowerCase() === 'ml'
    const child: Child = {
      name: unquoted(name),
      children: [],
      // As the newest files of the original have it: where nothing of the type is found, the part is not.
      features: [...(isPlain ? [] : [{ modelName: type, isRequired: true as const }]), ...featuresOf(uses)],
    }
    while ((open.at(-1)?.indent ?? -1) >= line.indent) open.pop()
    open.at(-1)?.children.push(child)
    open.push({ indent: line.indent, children: child.children })
  }
  return top
}
