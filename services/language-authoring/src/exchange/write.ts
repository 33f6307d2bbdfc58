import {
  type Child,
  type Content,
  type Extra,
  type Form,
  type Label,
  type Model,
  newestForm,
  type Relation,
} from '../content/content.ts'
import { ofKind } from '../content/find.ts'
import type { AppDocument } from '../engine/document.ts'
import { labelNamesById } from './labels.ts'
import type { WholeApp } from './whole-app.ts'

type Json = Record<string, unknown>

/** Writes a version in the format of its imported file. */
export function writeApp(app: WholeApp, form: Form = app.content.form): Json {
  const { content } = app
  const isOlder = Number(form.schema.split('.')[0]) < 6
  const write = writer(isOlder, form.hasPlainChildren)
  const among = (model: Model) => form !== newestForm && model.isAmongEntities === true
  return {
    luis_schema_version: form.schema,
    versionId: app.versionId,
    name: app.name,
    desc: app.description,
    culture: app.culture,
    ...(content.tokenizerVersion !== undefined && { tokenizerVersion: content.tokenizerVersion }),
    intents: ofKind(content, 'intent').map((model) => ({
      ...write.named(model),
      ...write.features(model, isOlder),
      ...model.extra,
    })),
    entities: content.models
      .filter((model) => model.kind === 'entity' || (model.kind === 'hierarchical' && among(model)))
      .map((model) => ({ ...write.entity(model), ...write.children(model), ...model.extra })),
    hierarchicals: ofKind(content, 'hierarchical')
      .filter((model) => !among(model))
      .map((model) => ({
        ...write.entity(model),
        children: model.children.map(({ name }) => ({ name })),
        ...model.extra,
      })),
    composites: ofKind(content, 'composite').map((model) => ({
      ...write.entity(model),
      children: model.children.map(({ name }) => (form.hasPlainChildren ? name : { name })),
      ...model.extra,
    })),
    closedLists: ofKind(content, 'list').map((model) => ({
      ...write.named(model),
      subLists: model.subLists?.map(({ canonicalForm, list }) => ({ canonicalForm, list })),
      roles: write.roles(model),
      ...model.extra,
    })),
    patternAnyEntities: ofKind(content, 'patternAny').map((model) => ({
      ...write.named(model),
      explicitList: model.explicitList?.map(({ explicitListItem }) => explicitListItem),
      roles: write.roles(model),
      ...model.extra,
    })),
    [form.regexEntities]: ofKind(content, 'regex').map((model) => ({
      ...write.named(model),
      regexPattern: model.regexPattern,
      roles: write.roles(model),
      ...model.extra,
    })),
    [form.prebuilts]: ofKind(content, 'prebuilt').map((model) =>
      form.prebuilts === 'bing_entities'
        ? model.name
        : { ...write.named(model), roles: write.roles(model), ...model.extra },
    ),
    [form.phraseLists]: content.phraseLists.map(
      ({ name, isExchangeable, phrases, isActive, enabledForAllModels, extra }) => ({
        name,
        mode: isExchangeable,
        words: phrases,
        activated: isActive,
        ...(!(isOlder && enabledForAllModels) && { enabledForAllModels }),
        ...extra,
      }),
    ),
    [form.regexFeatures]: content.regexFeatures.map(({ name, pattern, isActive, extra }) => ({
      name,
      pattern,
      ...(isActive !== undefined && { activated: isActive }),
      ...extra,
    })),
    patterns: patternsOf(content),
    utterances: utterancesOf(app),
    settings: content.settings,
    ...content.extra,
  }
}

/** Document for training: independent of the file format and of names, so that the same content gives the same model. */
export const toDocument = (app: WholeApp): AppDocument =>
  writeApp({ ...app, name: '', description: '', versionId: '' }, newestForm) as unknown as AppDocument

function writer(isOlder: boolean, hasPlainChildren: boolean) {
  const named = ({ name, inherits }: { name: string; inherits?: unknown }) => ({
    name,
    ...(inherits !== undefined && { inherits }),
  })
  const features = (owner: { features: readonly Relation[] }, whenFilled = isOlder) =>
    whenFilled && owner.features.length === 0
      ? {}
      : { features: owner.features.map(({ extra, ...relation }) => ({ ...relation, ...extra })) }
  const roles = (model: Model) => model.roles.map(({ name }) => name)
  const toJson = (child: Child): Json => ({
    name: child.name,
    ...(child.instanceOf !== undefined && { instanceOf: child.instanceOf }),
    children: child.children.map(toJson),
    ...features(child, false),
    ...(child.extra as Extra),
  })
  return {
    named,
    features,
    roles,
    entity: (model: Model) => ({ ...named(model), roles: roles(model), ...features(model) }),
    children(model: Model): Json {
      if (model.kind === 'hierarchical')
        return {
          children: model.children.map(({ name }) => (hasPlainChildren || model.isAmongEntities ? name : { name })),
        }
      const { instanceOf } = model
      return {
        ...(instanceOf !== undefined && { instanceOf }),
        ...((!isOlder || model.children.length > 0) && { children: model.children.map(toJson) }),
      }
    },
  }
}

function patternsOf({ models, patterns }: Content) {
  const names = new Map(models.map(({ id, name }) => [id, name]))
  return patterns.map(({ pattern, intent }) => ({ pattern, intent: names.get(intent) }))
}

function utterancesOf({ content, examples }: WholeApp) {
  const names = labelNamesById(content)
  const intents = new Map(content.models.map(({ id, name }) => [id, name]))
  const label = ({ model, start, end, role, children = [] }: Label): Json => ({
    entity: names.get(model)?.name,
    startPos: start,
    endPos: end,
    ...(role !== undefined && { role: names.get(model)?.roles.get(role) }),
    ...(children.length > 0 && { children: children.map(label) }),
  })
  return examples.map(({ text, intent, labels }) => ({
    text,
    intent: intents.get(intent),
    entities: labels.map(label),
  }))
}
