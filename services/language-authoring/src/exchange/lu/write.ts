import { newestForm } from '../../content/content.ts'
import type { AppDocument, Child, Feature, Label, PhraseList } from '../../engine/document.ts'
import { flattened } from '../../engine/labels.ts'
import { badArgument } from '../../shapes/failures.ts'
import type { WholeApp } from '../whole-app.ts'
import { writeApp } from '../write.ts'
import { isPattern } from './sentence.ts'

/** A version in the .lu format, which says less than JSON does: what it cannot say is refused, by name. */
export function writeLu(app: WholeApp): string {
  const document = writeApp(app, newestForm) as unknown as AppDocument
  demandSayable(document)
  const { entities, prebuiltEntities, composites, closedLists, regex_entities, patternAnyEntities } = document
  return [
    headerOf(document),
    inheritedOf('intent', document.intents),
    ...document.intents.map((intent) => intentOf(document, intent.name, intent.features)),
    inheritedOf('entity', [...entities, ...closedLists, ...composites, ...patternAnyEntities]),
    ...entities.map((one) => [`@ ml ${named(one.name)}${withs(one)}`, ...partsOf(one.children, 1)].join('\n')),
    ...prebuiltEntities.map((one) => `@ prebuilt ${named(one.name)}${withs(one)}`),
    ...closedLists.map((one) =>
      [`@ list ${named(one.name)}${withs(one)} =`, ...one.subLists.flatMap(listed)].join('\n'),
    ),
    ...regex_entities.map((one) => `@ regex ${named(one.name)}${withs(one)} = /${one.regexPattern}/`),
    ...composites.map((one) => `@ composite ${named(one.name)}${withs(one)} = [${namesOf(one.children)}]`),
    ...patternAnyEntities.map((one) => `@ patternany ${named(one.name)}${withs(one)}`),
    ...document.phraselists.map(phraseListOf),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

const named = (name: string): string => (/\s/.test(name) ? `"${name}"` : name)
const namesOf = (all: readonly { readonly name: string }[]): string => all.map(({ name }) => name).join(', ')
const nameOf = ({ featureName, modelName = '' }: Feature): string => featureName ?? modelName

function headerOf({ name, desc, versionId, culture, tokenizerVersion, settings }: AppDocument): string {
  const facts = { name, desc, versionId, culture, luis_schema_version: newestForm.schema, tokenizerVersion }
  const all = [...Object.entries(facts), ...settings.map((one) => [`settings.${one.name}`, String(one.value)] as const)]
  return all
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([fact, value]) => `> !# @app.${fact} = ${value}`)
    .join('\n')
}

interface Inheriting {
  readonly name: string
  readonly inherits?: { readonly domain_name: string; readonly model_name: string }
}

const inheritedOf = (kind: 'intent' | 'entity', all: readonly Inheriting[]): string =>
  all
    .flatMap(({ name, inherits }) => {
      if (!inherits) return []
      const { domain_name, model_name } = inherits
      return `> !# @${kind}.inherits = name : ${name}; domain_name : ${domain_name}; model_name : ${model_name}`
    })
    .join('\n')

function intentOf({ utterances, patterns }: AppDocument, name: string, features: readonly Feature[] = []): string {
  const own = utterances.filter(({ intent }) => intent === name)
  return [
    `# ${name}`,
    ...own.map(({ text, entities }) => `- ${sentenceOf(text, entities)}`),
    ...patterns.filter(({ intent }) => intent === name).map(({ pattern }) => `- ${pattern.replaceAll('{', '{@')}`),
    ...(features.length > 0 ? ['', `@ intent ${named(name)}${withs({ features })}`] : []),
  ].join('\n')
}

/** Roles and features behind a definition. The feature that a part requires is its type, and stands before it. */
function withs({ roles = [], features = [] }: { roles?: readonly string[]; features?: readonly Feature[] }): string {
  const uses = features.filter(({ isRequired }) => !isRequired)
  return [
    ...(roles.length > 0 ? [` hasRoles ${roles.map(named).join(', ')}`] : []),
    ...(uses.length > 0 ? [` usesFeatures ${uses.map((feature) => named(nameOf(feature))).join(', ')}`] : []),
  ].join('')
}

const requiredOf = ({ features = [] }: Child): string[] => features.filter(({ isRequired }) => isRequired).map(nameOf)
const typeOf = (child: Child): string => child.instanceOf || requiredOf(child)[0] || 'ml'

const partsOf = (children: readonly Child[] = [], depth: number): string[] =>
  children.flatMap((child) => [
    `${'    '.repeat(depth)}- @ ${named(typeOf(child))} ${named(child.name)}${withs({ features: child.features ?? [] })}`,
    ...partsOf(child.children, depth + 1),
  ])

const escapedItem = (text: string): string => text.replaceAll(/[\\;,:]/g, '\\$&')

const listed = ({ canonicalForm, list }: AppDocument['closedLists'][number]['subLists'][number]): string[] => [
  `    - ${escapedItem(canonicalForm)} :`,
  ...list.map((synonym) => `        - ${escapedItem(synonym)}`),
]

function phraseListOf({ name, mode, activated, enabledForAllModels, words }: PhraseList): string {
  const flags = [...(activated ? [] : ['disabled']), ...(enabledForAllModels ? [] : ['disabledForAllModels'])].join(
    ', ',
  )
  const head = `@ phraselist ${named(name)}${mode ? '(interchangeable)' : ''}${flags && ` ${flags}`}`
  return words === '' ? head : `${head} =\n    - ${words}`
}

/** All labels of a sentence, the outer before the inner. */
const ordered = (labels: readonly Label[]): Label[] =>
  flattened(labels).sort((a, b) => a.startPos - b.startPos || b.endPos - a.endPos)

function sentenceOf(text: string, labels: readonly Label[]): string {
  const letters = [...text.split('').keys()].map((at) => text[at]?.replace(/[\\{}[\]()]/, '\\$&') as string)
  const before = letters.map(() => '')
  const after = letters.map(() => '')
  for (const { entity, role, startPos, endPos } of ordered(labels)) {
    before[startPos] += `{@${entity}${role === undefined ? '' : `:${role}`}=`
    after[endPos] += '}'
  }
  // A space would not be read after the equals sign.
  const shown = (letter: string, at: number) => (letter === ' ' && before[at] !== '' ? '\\ ' : letter)
  return letters.map((letter, at) => `${before[at]}${shown(letter, at)}${after[at]}`).join('')
}

/** Or one entity is labelled twice at one place, in two others. */
const crosses = (labels: readonly Label[]): boolean => {
  const all = ordered(labels)
  const isTwice = (one: Label, other: Label) =>
    one.entity === other.entity && one.startPos === other.startPos && one.endPos === other.endPos
  return all.some((one, nth) =>
    all
      .slice(nth + 1)
      .some((other) => isTwice(one, other) || (other.startPos <= one.endPos && other.endPos > one.endPos)),
  )
}

/** A name may stand in a list, in a heading and in a label, and a text in a line. */
const isName = (name: string): boolean =>
  /^[^\s#!@>*+$?[\](){}=:;,"'\\-][^\n\r[\](){}=:;,"'\\]*$/.test(name) && isLine(name)
const isLine = (text: string): boolean => text.trim() !== '' && text.trim() === text && !/[\n\r]/.test(text)

function demandSayable(app: AppDocument): void {
  const wrong = [...unsayable(app)]
  if (wrong.length === 0) return
  const more = wrong.length > 5 ? ` And ${wrong.length - 5} more.` : ''
  badArgument(`A .lu file cannot say: ${wrong.slice(0, 5).join('; ')}.${more} Export JSON, which says all of it.`)
}

function* unsayable(app: AppDocument): Generator<string> {
  for (const { name } of app.hierarchicals) yield `the hierarchical entity '${name}'`
  for (const { name } of app.regex_features) yield `the expression '${name}' that is a feature`
  for (const { name, explicitList } of app.patternAnyEntities)
    if (explicitList.length > 0) yield `the explicit list of '${name}'`
  const { intents, entities, composites, closedLists, regex_entities, patternAnyEntities, prebuiltEntities } = app
  const lists = [composites, closedLists, regex_entities, patternAnyEntities, prebuiltEntities, app.phraselists]
  for (const { name } of [...intents, ...entities, ...lists.flat()]) if (!isName(name)) yield `the name '${name}'`
  for (const one of [...entities, ...composites, ...closedLists, ...regex_entities, ...patternAnyEntities])
    for (const role of one.roles) if (!isName(role)) yield `the role '${role}'`
  for (const one of [...intents, ...entities, ...composites])
    for (const feature of one.features ?? [])
      if (feature.isRequired) yield `that '${one.name}' requires '${nameOf(feature)}'`
  for (const { name, instanceOf, children } of entities) {
    if (instanceOf) yield `that '${name}' is an instance of '${instanceOf}'`
    yield* unsayableParts(children)
  }
  for (const { name, regexPattern } of regex_entities)
    if (!isLine(regexPattern)) yield `the expression of '${name}', with its spaces or line breaks`
  for (const { subLists } of closedLists)
    for (const item of subLists.flatMap(({ canonicalForm, list }) => [canonicalForm, ...list]))
      if (!isLine(item)) yield `the item '${item}' of a list`
  for (const { name, words } of app.phraselists) if (/[\n\r]/.test(words)) yield `the phrases of '${name}', in lines`
  for (const { pattern } of app.patterns)
    if (!isLine(pattern) || !isPattern(pattern)) yield `that '${pattern}' is a pattern and not a sentence`
  for (const { text, entities: labels } of app.utterances) {
    if (!isLine(text)) yield `the sentence '${text}', with its spaces or line breaks`
    if (crosses(labels)) yield `labels that cross each other in '${text}'`
  }
}

function* unsayableParts(children: readonly Child[] = []): Generator<string> {
  for (const child of children) {
    const { name, instanceOf } = child
    if (!isName(name)) yield `the name '${name}'`
    for (const required of requiredOf(child))
      if (required !== typeOf(child)) yield `that '${name}' requires '${required}' and is a '${instanceOf}'`
    yield* unsayableParts(child.children)
  }
}
