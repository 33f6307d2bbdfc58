import type { Label } from '../../engine/document.ts'
import { badArgument } from '../../shapes/failures.ts'
import type { Line } from './parse.ts'

interface Child {
  readonly name: string
  readonly children: Child[]
  readonly features: Feature[]
}

type Feature = { readonly featureName: string } | { readonly modelName: string; readonly isRequired?: true }

export interface Definition {
  readonly kind: string
  readonly name: string
  readonly roles: string[]
  readonly uses: string[]
  readonly value?: string
  /** The rest of the text before the equals sign: flags of a phrase list. */
  readonly marks: string
  readonly below: readonly Line[]
}

/** Content of a .lu file while it is parsed. */
export interface Draft {
  readonly app: Partial<Record<'name' | 'culture' | 'versionId' | 'desc' | 'tokenizerVersion', string>>
  readonly settings: { readonly name: string; readonly value: string }[]
  /** Domain models from which intents and entities were copied. */
  readonly inherits: Record<'intent' | 'entity', Map<string, object>>
  readonly intents: Set<string>
  readonly defined: Map<string, Definition>
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
  const fail = () => badArgument(`Line ${line.number} is not understood: ${line.text.slice(0, 100)}`)
  const [, kind = '', rest = ''] = /^@\s*(\w+)\s+(.+)$/.exec(line.text) ?? fail()
  if (!kinds.includes(kind.toLowerCase())) fail()
  const [whole = '', a, b, c = ''] = quoted.exec(rest) ?? fail()
  const after = rest.slice(whole.length)
  const equals = after.indexOf('=')
  const head = (equals < 0 ? after : after.slice(0, equals)).replaceAll(/\s+/g, ' ').trim()
  const name = a ?? b ?? c
  const namesAfter = (word: RegExp) => (word.exec(` ${head}`)?.[1] ?? '').split(',').map(unquoted).filter(Boolean)
  const definition: Definition = {
    kind: kind.toLowerCase(),
    name: name.replace(/\(interchangeable\)$/i, ''),
    roles: namesAfter(/ hasroles? (.+?)(?= usesfeatures? |$)/i),
    uses: namesAfter(/ usesfeatures? (.+?)(?= hasroles? |$)/i),
    ...(equals >= 0 && { value: after.slice(equals + 1).trim() }),
    marks: `${name} ${head}`.toLowerCase(),
    below: below.filter(({ text }) => text !== '' && !text.startsWith('>')),
  }
  const rolesSoFar = draft.defined.get(definition.name)?.roles ?? []
  if (definition.kind === 'intent') draft.intentFeatures.set(definition.name, definition.uses)
  else draft.defined.set(definition.name, { ...definition, roles: [...new Set([...definition.roles, ...rolesSoFar])] })
}

const unquoted = (name: string) => name.trim().replaceAll(/^["']|["']$/g, '')

const textOf = ({ text, number }: Line) =>
  /^[-*+]\s*(.+)$/.exec(text)?.[1]?.trim() ?? badArgument(`Line ${number} is not part of a list: ${text.slice(0, 100)}`)

/** Builds the equivalent JSON document. */
export function toJson(draft: Draft): unknown {
  const { app, intents, intentFeatures, utterances, patterns } = draft
  const parts = new Set([...draft.defined.values()].flatMap(({ below }) => below.map(partNameOf)))
  for (const { entities: labels } of utterances)
    for (const label of labels) if (!parts.has(label.entity)) defineMissing(draft, label)
  const all = [...draft.defined.values()]
  const ofKind = (kind: string) => all.filter((definition) => definition.kind === kind)
  const featuresOf = (names: readonly string[]): Feature[] =>
    names.map((name) => (draft.defined.get(name)?.kind === 'phraselist' ? { featureName: name } : { modelName: name }))
  const { name = '', culture = 'en-us', versionId = '0.1', desc = '', tokenizerVersion = '1.0.0' } = app
  const inherits = (kind: 'intent' | 'entity', model: string) => {
    const from = draft.inherits[kind].get(model)
    return from && { inherits: from }
  }
  const entities = ofKind('ml').map((entity) => ({
    name: entity.name,
    roles: entity.roles,
    features: featuresOf(entity.uses),
    children: childrenOf(entity.below, featuresOf),
    ...inherits('entity', entity.name),
  }))
  return {
    luis_schema_version: '7.0.0',
    versionId,
    name,
    desc,
    culture,
    tokenizerVersion,
    intents: [...intents].map((intent) => ({
      name: intent,
      features: featuresOf(intentFeatures.get(intent) ?? []),
      ...inherits('intent', intent),
    })),
    entities,
    hierarchicals: [],
    composites: ofKind('composite').map((composite) => ({
      name: composite.name,
      roles: composite.roles,
      features: featuresOf(composite.uses),
      children: partsOf(composite).map((part) => ({ name: part })),
      ...inherits('entity', composite.name),
    })),
    closedLists: ofKind('list').map((list) => ({
      name: list.name,
      roles: list.roles,
      subLists: subListsOf(list.below),
      ...inherits('entity', list.name),
    })),
    patternAnyEntities: ofKind('patternany').map((entity) => ({
      name: entity.name,
      roles: entity.roles,
      explicitList: [],
      ...inherits('entity', entity.name),
    })),
    regex_entities: ofKind('regex').map((regex) => ({
      name: regex.name,
      roles: regex.roles,
      regexPattern: patternOf(regex),
    })),
    prebuiltEntities: ofKind('prebuilt').map(({ name: prebuilt, roles }) => ({ name: prebuilt, roles })),
    phraselists: ofKind('phraselist').map((list) => ({
      name: list.name,
      mode: list.marks.includes('(interchangeable)'),
      words: list.below.map(textOf).join(','),
      activated: !/ disabled(,| |$)/.test(list.marks),
      enabledForAllModels: !list.marks.includes('disabledforallmodels'),
    })),
    regex_features: [],
    patterns,
    utterances: utterances.map(({ entities: labels, ...rest }) => ({ ...rest, entities: nested(labels, entities) })),
    settings: draft.settings,
  }
}

const partsOf = ({ value = '', below }: Definition): string[] =>
  /^\[(.*)\]$/
    .exec(value)?.[1]
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean) ?? below.map(textOf)

const patternOf = ({ name, value = '' }: Definition): string =>
  /^\/(.*)\/$/.exec(value)?.[1] ?? badArgument(`The regex entity '${name}' has no expression between slashes.`)

/** Resolves a label that only names a role; an undefined entity becomes a machine-learned one. */
function defineMissing(draft: Draft, label: Label): void {
  const ofRole = () => [...draft.defined.values()].find(({ roles }) => roles.includes(label.entity))
  const existing = draft.defined.get(label.entity) ?? ofRole()
  if (existing && existing.name !== label.entity) {
    label.role = label.entity
    label.entity = existing.name
  }
  const { entity: name, role } = label
  if (!existing)
    draft.defined.set(name, { kind: 'ml', name, roles: role ? [role] : [], uses: [], marks: '', below: [] })
  else if (role && !existing.roles.includes(role)) existing.roles.push(role)
}

/** Nests a label in the nearest enclosing one with such a part; otherwise it stays at the top. */
function nested(labels: readonly Label[], entities: readonly Child[]): Label[] {
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

/** `- Oslo :` and, indented below it, its synonyms. */
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

/** Parts of a machine-learned entity, nested by indentation: `- @ ml Part usesFeature x`. */
function childrenOf(lines: readonly Line[], featuresOf: (names: readonly string[]) => Feature[]): Child[] {
  const top: Child[] = []
  const open: { readonly indent: number; readonly children: Child[] }[] = [{ indent: -1, children: top }]
  for (const line of lines) {
    const [, kind = '', name = '', rest = ''] =
      part.exec(textOf(line)) ??
      badArgument(`Line ${line.number} is not a part of an entity: ${line.text.slice(0, 100)}`)
    const uses = /usesfeatures?\s+(.+)$/i.exec(rest)?.[1]?.split(',').map(unquoted) ?? []
    const type = unquoted(kind)
    const isPlain = type.toLowerCase() === 'ml'
    const child: Child = {
      name: unquoted(name),
      children: [],
      // A required feature, as in the newest files of the original.
      features: [...(isPlain ? [] : [{ modelName: type, isRequired: true as const }]), ...featuresOf(uses)],
    }
    while ((open.at(-1)?.indent ?? -1) >= line.indent) open.pop()
    open.at(-1)?.children.push(child)
    open.push({ indent: line.indent, children: child.children })
  }
  return top
}
