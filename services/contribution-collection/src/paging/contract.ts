import { Type } from '@icosa/contract'

const { Optional } = Type

export const pageQuery = {
  page: Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  pageSize: Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
}

export const pageHeaders = Type.Object({
  'x-total-count': Type.String({ description: 'Number of items on all pages.' }),
  link: Optional(Type.String({ description: 'The next page, if there is one.' })),
})
