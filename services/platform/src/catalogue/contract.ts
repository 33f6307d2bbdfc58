import { named, Type, viewGroups } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const { get } = keyed(keyHeader)
const optional = Type.Optional
const text = Type.String()

const Authentication = Type.Object({
  kind: Type.Enum(['key', 'bearer', 'basic', 'signature', 'none']),
  header: optional(text),
  region: optional(text),
  service: optional(text),
})

const Operation = named('CatalogueOperation', {
  id: text,
  method: text,
  path: Type.String({ description: 'Below the service, with parameters in braces.' }),
  summary: text,
  parameters: Type.Array(Type.Unknown({ description: 'As in OpenAPI.' })),
  body: optional(Type.Object({ mediaTypes: Type.Array(text), schema: Type.Unknown() })),
})

const NextPage = Type.Object({
  by: Type.Enum(['link', 'token', 'page', 'skip', 'after']),
  field: optional(text),
  param: optional(text),
})

const Columns = Type.Array(Type.Object({ path: text, label: text, kind: text }))

const callMembers = {
  operation: text,
  fields: optional(Type.Record(text)),
  query: optional(Type.Record(text)),
  ask: optional(Type.Record(text)),
  body: optional(Type.Unknown()),
}

const PanelCall = named('CataloguePanelCall', callMembers)

const Panel = named('CataloguePanel', {
  title: text,
  about: optional(text),
  call: optional(PanelCall),
  reads: Type.Boolean({ description: 'Whether it can be called without a click.' }),
  also: optional(PanelCall),
  as: Type.String({ description: 'How it is drawn.' }),
  show: Type.Record(text),
  columns: optional(Columns),
  act: optional(Type.Object({ ...callMembers, label: text })),
})

const View = named('CatalogueView', {
  id: Type.String({ description: 'ID of the operation that lists them.' }),
  title: text,
  about: text,
  group: Type.Enum(viewGroups),
  type: optional(Type.String({ description: 'Type in the registry of resources.' })),
  items: text,
  next: optional(NextPage),
  columns: Columns,
  name: text,
  state: optional(text),
  path: optional(text),
  key: Type.Record(text),
  member: optional(text),
  get: optional(text),
  create: optional(text),
  update: optional(text),
  delete: optional(text),
  actions: Type.Array(Type.Object({ id: text, label: text })),
  parent: optional(
    Type.Object({ view: text, params: optional(Type.Record(text)), fields: optional(Type.Record(text)) }),
  ),
  example: optional(Type.Unknown()),
  invitation: optional(text),
  panels: Type.Array(Panel),
})

const ViewSummary = Type.Object({
  id: text,
  title: text,
  about: text,
  group: Type.Enum(viewGroups),
  type: optional(text),
  parent: optional(text),
  invitation: optional(Type.String({ description: 'Title of a link to the form that creates an item.' })),
})

export const catalogue = {
  getCatalogue: get('/catalogue', {
    summary: 'List the services and resources that the caller may use, as shown in the console.',
    replies: {
      200: named('Catalogue', {
        tenant: text,
        groups: Type.Array(Type.Enum(viewGroups)),
        services: Type.Array(
          named('CatalogueSummary', {
            name: text,
            title: text,
            group: Type.Enum(viewGroups),
            operations: Type.Integer(),
            views: Type.Array(ViewSummary),
          }),
        ),
      }),
    },
  }),
  getServiceCatalogue: get('/catalogue/{service}', {
    summary: 'Read the resources of a service, and the operations that the caller may use, with JSON Schemas.',
    replies: {
      200: named('ServiceCatalogue', {
        name: text,
        title: text,
        group: Type.Enum(viewGroups),
        scope: Type.Record(text),
        views: Type.Array(View),
        panels: Type.Array(Panel),
        apis: Type.Array(
          named('CatalogueApi', {
            name: optional(text),
            at: text,
            authentication: Authentication,
            operations: Type.Array(Operation),
            schemas: Type.Record(Type.Unknown()),
          }),
        ),
      }),
    },
  }),
}
