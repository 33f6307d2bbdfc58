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

/** Reads an app of schema version 2 to 7; refuses inconsistent ones with the path. */
export function readApp(value: unknown): ReadFile {
  const file = new Fields(value, '')
  const schema = file.text('luis_schema_version')
  if (!/^[2-7](\.\d+){0,2}$/.test(schema))
    badArgument(`luis_schema_version '${schema}' is unknown: it must be from 2 to 7, such as 7.0.0.`)
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
  content.settings = file
    .objects('settings')
    .map((setting) => ({ name: setting.name(), value: setting.any('value') ?? '' }))
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
  for (const fields of file.objects('model_features').concat(file.objects('phraselists')))
    content.phraseLists.push({
      id: content.nextNumber++,
      name: fields.name(),
      phrases: fields.text('words', ''),
      isExchangeable: fields.flag('mode', true),
      isActive: fields.flag('activated', true),
      enabledForAllModels: fields.flag('enabledForAllModels', true),
      ...fields.rest(),
    })
  for (const fields of file.objects(content.form.regexFeatures))
    content.regexFeatures.push({
      id: content.nextNumber++,
      name: fields.name(),
      pattern: fields.text('pattern', ''),
      ...(fields.has('activated') && { isActive: fields.flag('activated', true) }),
      ...fields.rest(),
    })
}

function readExamples(file: Fields, content: Content): Example[] {
  const utterances = file.objects('utterances')
  if (utterances.length > maxExamples) tooMany('utterances', maxExamples)
  const intents = intentsOf(content)
  const read = readLabels(content)
  return utterances.map((fields, index) => {
    const text = fields.text('text')
    if (text.length > maxExampleLength)
      badArgument(`${fields.at('text')} has more than ${maxExampleLength} characters.`)
    return { id: index + 1, text, intent: intentOf(intents, fields), labels: read(fields, text) }
  })
}

const intentsOf = (content: Content) =>
  new Map(content.models.filter(({ kind }) => kind === 'intent').map(({ id, name }) => [name, id]))

function intentOf(intents: ReadonlyMap<string, string>, fields: Fields): string {
  const name = fields.text('intent')
  return intents.get(name) ?? badArgument(`${fields.at('intent')}: there is no intent '${name}'.`)
}

function readPatterns(file: Fields, content: Content): void {
  const intents = intentsOf(content)
  const patterns = file.objects('patterns')
  if (patterns.length > maxPatterns) tooMany('patterns', maxPatterns)
  for (const fields of patterns)
    content.patterns.push({ id: randomUUID(), pattern: fields.text('pattern'), intent: intentOf(intents, fields) })
}
