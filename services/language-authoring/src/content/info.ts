import { type Child, kinds, type Model } from './content.ts'

export const toInfo = ({ id, name, kind }: Model) => {
  const { typeId, readableType } = kinds[kind]
  return { id, name, typeId, readableType }
}

export const toCustom = ({ inherits }: Model) =>
  inherits && { customPrebuiltDomainName: inherits.domain_name, customPrebuiltModelName: inherits.model_name }

export const toEntityInfo = (model: Model) => ({
  ...toInfo(model),
  roles: model.roles.map(({ id, name }) => ({ id, name })),
})

const childTypes = {
  entity: { typeId: 1, readableType: 'Child Entity Extractor' },
  hierarchical: { typeId: 6, readableType: 'Hierarchical Child Entity Extractor' },
  composite: { typeId: 1, readableType: 'Entity Extractor' },
} as const

export interface ChildInfo {
  readonly id: string
  readonly name: string
  readonly typeId: number
  readonly readableType: (typeof childTypes)[keyof typeof childTypes]['readableType']
  readonly instanceOf?: string
  readonly children?: Record<string, unknown>[]
}

export function toChild({ id, name, instanceOf, children }: Child, kind: keyof typeof childTypes): ChildInfo {
  return {
    id,
    name,
    ...childTypes[kind],
    ...(instanceOf && { instanceOf }),
    ...(kind === 'entity' && { children: children.map((child) => ({ ...toChild(child, kind) })) }),
  }
}
