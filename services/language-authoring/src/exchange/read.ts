import { randomUUID } from 'node:crypto'
import type { Content, Form } from '../content/content.ts'
import type { Example } from '../examples/store.ts'
import { badArgument, tooMany } from '../shapes/failures.ts'
import { Fields } from './fields.ts'
import { readLabels } from './labels.ts'
import { readModels } from './models.ts'
import type { ReadFile } from './whole-app.ts'

export const maxExamples = 15_000
export const maxPatterns = 5_000
export const maxExampleLength = 500

/** Reads an app of schema version 2 to 7; refuses one that contradicts itself, and says where. */
export function readApp(value: unknown): ReadFile {
  const file = new Fields(value, '')
  const schema = file.text('luis_schema_version')
  if (!/^[2-7](\.\d+){0,2}$/.test(schema))
    badArgument(`luis_schema_version '${schema}' is not known: it is 2 to 7, such as 7.0.0.`)
  const content: Content = {
    models: [],
    phraseLists: [],
    regexFeatures: [],
    patterns: [],
    settings: [],
    form: formOf(file, schema),
    nextNumber: 1,
  }
  const name = file.text('name', '').trim()
  const culture = file.name('culture')
  const description = file.text('desc', '')
  const versionId = file.text('versionId', '') || '0.1'
  if (file.has('tokenizerVersion')) content.tokenizerVersion = file.text('tokenizerVersion')
  readModels(file, content)
  readFeatures(file, content)
  const examples = readExamples(file, content)
  readPatterns(file, content)
  content.settings = file.objects('settings').map((one) => ({ name: one.name(), value: one.any('value') ?? '' }))
  const whole = { name, description, culture, versionId, content: Object.assign(content, file.rest()), examples }
  return { ...whole, unknown: file.unknown() }
}

const formOf = (file: Fields, schema: string): Form => ({
  schema,
  phraseLists: file.has('model_features') ? 'model_features' : 'phraselists',
  regexEntities: file.has('regexEntities') ? 'regexEntities' : 'regex_entities',
  regexFeatures: file.has('regexFeatures') ? 'regexFeatures' : 'regex_features',
  prebuilts: file.has('bing_entities') ? 'bing_entities' : 'prebuiltEntities',
  hasPlainChildren: file.list('composites').some(hasPlainChildren),
})

function hasPlainChildren(composite: unknown): boolean {
  const { children } = Object(composite) as { children?: unknown }
  return Array.isArray(children) && children.some((child) => typeof child === 'string')
}

function readFeatures(file: Fields, content: Content): void {
  for (const one of file.objects('model_features').concat(file.objects('phraselists')))
    content.phraseLists.push({
      id: content.nextNumber++,
      name: one.name(),
      phrases: one.text('words', ''),
      isExchangeable: one.flag('mode', true),
      isActive: one.flag('activated', true),
      enabledForAllModels: one.flag('enabledForAllModels', true),
      ...one.rest(),
    })
  for (const one of file.objects(content.form.regexFeatures))
    content.regexFeatures.push({
      id: content.nextNumber++,
      name: one.name(),
      pattern: one.text('pattern', ''),
      ...(one.has('activated') && { isActive: one.flag('activated', true) }),
      ...one.rest(),
    })
}

function readExamples(file: Fields, content: Content): Example[] {
  const utterances = file.objects('utterances')
  if (utterances.length > maxExamples) tooMany('utterances', maxExamples)
  const intents = intentsOf(content)
  const read = readLabels(content)
  return utterances.map((one, index) => {
    const text = one.text('text')
    if (text.length > maxExampleLength) badArgument(`${one.at('text')} has more than ${maxExampleLength} characters.`)
    return { id: index + 1, text, intent: intentOf(intents, one), labels: read(one, text) }
  })
}

const intentsOf = (content: Content) =>
  new Map(content.models.filter(({ kind }) => kind === 'intent').map(({ id, name }) => [name, id]))

function intentOf(intents: ReadonlyMap<string, string>, one: Fields): string {
  const name = one.text('intent')
  return intents.get(name) ?? badArgument(`${one.at('intent')}: there is no intent '${name}'.`)
}

function readPatterns(file: Fields, content: Content): void {
  const intents = intentsOf(content)
  const patterns = file.objects('patterns')
  if (patterns.length > maxPatterns) tooMany('patterns', maxPatterns)
  for (const one of patterns)
    content.patterns.push({ id: randomUUID(), pattern: one.text('pattern'), intent: intentOf(intents, one) })
}
