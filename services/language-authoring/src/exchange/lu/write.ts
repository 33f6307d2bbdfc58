import { newestForm } from '../../content/content.ts'
import type { AppDocument, Child, Feature, Label, PhraseList } from '../../engine/document.ts'
import { flattened } from '../../engine/labels.ts'
import { badArgument } from '../../shapes/failures.ts'
import type { WholeApp } from '../whole-app.ts'
import { writeApp } from '../write.ts'
import { isPattern } from './sentence.ts'

/** Writes a version in the .lu format; refuses features that it lacks. */
export function writeLu(app: WholeApp): string {
  const document = writeApp(app, newestForm) as unknown as AppDocument
  demandExpressible(document)
  const { entities, prebuiltEntities, composites, closedLists, regex_entities, patternAnyEntities } = document
  return [
    headerOf(document),
    inheritedOf('intent', document.intents),
    ...document.intents.map((intent) => intentOf(document, intent.name, intent.features)),
    inheritedOf('entity', [...entities, ...closedLists, ...composites, ...patternAnyEntities]),
    ...entities.map((entity) =>
      [`@ ml ${quoted(entity.name)}${withs(entity)}`, ...partsOf(entity.children, 1)].join('\n'),
    ),
    ...prebuiltEntities.map((entity) => `@ prebuilt ${quoted(entity.name)}${withs(entity)}`),
    ...closedLists.map((list) =>
      [`@ list ${quoted(list.name)}${withs(list)} =`, ...list.subLists.flatMap(subListLines)].join('\n'),
    ),
    ...regex_entities.map((entity) => `@ regex ${quoted(entity.name)}${withs(entity)} = /${entity.regexPattern}/`),
    ...composites.map((entity) => `@ composite ${quoted(entity.name)}${withs(entity)} = [${namesOf(entity.children)}]`),
    ...patternAnyEntities.map((entity) => `@ patternany ${quoted(entity.name)}${withs(entity)}`),
    ...document.phraselists.map(phraseListOf),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

const quoted = (name: string): string => (/\s/.test(name) ? `"${name}"` : name)
const namesOf = (all: readonly { readonly name: string }[]): string => all.map(({ name }) => name).join(', ')
const nameOf = ({ featureName, modelName = '' }: Feature): string => featureName ?? modelName

function headerOf({ name, desc, versionId, culture, tokenizerVersion, settings }: AppDocument): string {
  const properties = { name, desc, versionId, culture, luis_schema_version: newestForm.schema, tokenizerVersion }
  const all = [
    ...Object.entries(properties),
    ...settings.map((setting) => [`settings.${setting.name}`, String(setting.value)] as const),
  ]
  return all
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `> !# @app.${name} = ${value}`)
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
    ...(features.length > 0 ? ['', `@ intent ${quoted(name)}${withs({ features })}`] : []),
  ].join('\n')
}

/** Roles and features after a definition. The required feature of a part is its type, which precedes its name. */
function withs({ roles = [], features = [] }: { roles?: readonly string[]; features?: readonly Feature[] }): string {
  const uses = features.filter(({ isRequired }) => !isRequired)
  return [
    ...(roles.length > 0 ? [` hasRoles ${roles.map(quoted).join(', ')}`] : []),
    ...(uses.length > 0 ? [` usesFeatures ${uses.map((feature) => quoted(nameOf(feature))).join(', ')}`] : []),
  ].join('')
}

const requiredOf = ({ features = [] }: Child): string[] => features.filter(({ isRequired }) => isRequired).map(nameOf)
const typeOf = (child: Child): string => child.instanceOf || requiredOf(child)[0] || 'ml'

const partsOf = (children: readonly Child[] = [], depth: number): string[] =>
  children.flatMap((child) => [
    `${'    '.repeat(depth)}- @ ${quoted(typeOf(child))} ${quoted(child.name)}${withs({ features: child.features ?? [] })}`,
    ...partsOf(child.children, depth + 1),
  ])

const escapedItem = (text: string): string => text.replaceAll(/[\\;,:]/g, '\\$&')

const subListLines = ({ canonicalForm, list }: AppDocument['closedLists'][number]['subLists'][number]): string[] => [
  `    - ${escapedItem(canonicalForm)} :`,
  ...list.map((synonym) => `        - ${escapedItem(synonym)}`),
]

function phraseListOf({ name, mode, activated, enabledForAllModels, words }: PhraseList): string {
  const flags = [...(activated ? [] : ['disabled']), ...(enabledForAllModels ? [] : ['disabledForAllModels'])].join(
    ', ',
  )
  const head = `@ phraselist ${quoted(name)}${mode ? '(interchangeable)' : ''}${flags && ` ${flags}`}`
  return words === '' ? head : `${head} =\n    - ${words}`
}

/** Flattens labels, outer before inner. */
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
  // A space after the equals sign would be skipped.
  const shown = (letter: string, at: number) => (letter === ' ' && before[at] !== '' ? '\\ ' : letter)
  return letters.map((letter, at) => `${before[at]}${shown(letter, at)}${after[at]}`).join('')
}

/** Also true if an entity is labelled twice at the same position. */
const crosses = (labels: readonly Label[]): boolean => {
  const all = ordered(labels)
  const isTwice = (a: Label, b: Label) => a.entity === b.entity && a.startPos === b.startPos && a.endPos === b.endPos
  return all.some((label, index) =>
    all
      .slice(index + 1)
      .some((next) => isTwice(label, next) || (next.startPos <= label.endPos && next.endPos > label.endPos)),
  )
}

/** Names occur in lists, headings and labels, texts in lines. */
const isName = (name: string): boolean =>
  /^[^\s#!@>*+$?[\](){}=:;,"'\\-][^\n\r[\](){}=:;,"'\\]*$/.test(name) && isLine(name)
const isLine = (text: string): boolean => text.trim() !== '' && text.trim() === text && !/[\n\r]/.test(text)

function demandExpressible(app: AppDocument): void {
  const problems = [...inexpressible(app)]
  if (problems.length === 0) return
  const more = problems.length > 5 ? ` And ${problems.length - 5} more.` : ''
  badArgument(`A .lu file cannot express: ${problems.slice(0, 5).join('; ')}.${more} Export JSON instead.`)
}

function* inexpressible(app: AppDocument): Generator<string> {
  for (const { name } of app.hierarchicals) yield `the hierarchical entity '${name}'`
  for (const { name } of app.regex_features) yield `the regex feature '${name}'`
  for (const { name, explicitList } of app.patternAnyEntities)
    if (explicitList.length > 0) yield `the explicit list of '${name}'`
  const { intents, entities, composites, closedLists, regex_entities, patternAnyEntities, prebuiltEntities } = app
  const lists = [composites, closedLists, regex_entities, patternAnyEntities, prebuiltEntities, app.phraselists]
  for (const { name } of [...intents, ...entities, ...lists.flat()]) if (!isName(name)) yield `the name '${name}'`
  for (const { roles } of [...entities, ...composites, ...closedLists, ...regex_entities, ...patternAnyEntities])
    for (const role of roles) if (!isName(role)) yield `the role '${role}'`
  for (const { name, features } of [...intents, ...entities, ...composites])
    for (const feature of features ?? [])
      if (feature.isRequired) yield `the required feature '${nameOf(feature)}' of '${name}'`
  for (const { name, instanceOf, children } of entities) {
    if (instanceOf) yield `'${name}' as an instance of '${instanceOf}'`
    yield* inexpressibleParts(children)
  }
  for (const { name, regexPattern } of regex_entities)
    if (!isLine(regexPattern)) yield `the expression of '${name}', with its spaces or line breaks`
  for (const { subLists } of closedLists)
    for (const item of subLists.flatMap(({ canonicalForm, list }) => [canonicalForm, ...list]))
      if (!isLine(item)) yield `the item '${item}' of a list`
  for (const { name, words } of app.phraselists)
    if (/[\n\r]/.test(words)) yield `the line breaks in the phrases of '${name}'`
  for (const { pattern } of app.patterns) if (!isLine(pattern) || !isPattern(pattern)) yield `'${pattern}' as a pattern`
  for (const { text, entities: labels } of app.utterances) {
    if (!isLine(text)) yield `the sentence '${text}', with its spaces or line breaks`
    if (crosses(labels)) yield `overlapping labels in '${text}'`
  }
}

function* inexpressibleParts(children: readonly Child[] = []): Generator<string> {
  for (const child of children) {
    const { name, instanceOf } = child
    if (!isName(name)) yield `the name '${name}'`
    for (const required of requiredOf(child))
      if (required !== typeOf(child))
        yield `the required feature '${required}' of '${name}', which is an instance of '${instanceOf}'`
    yield* inexpressibleParts(child.children)
  }
}
