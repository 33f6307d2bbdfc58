import { named, Type } from '@icosa/contract'
import { Failure, implement, ok, type Service } from '@icosa/kernel'
import { type Exceptions, signed } from '../contract.ts'
import { once } from '../idempotency.ts'
import { signedServer } from '../server.ts'

const exceptions: Exceptions = {
  kinds: { conflict: ['OutOfPrintException', 410] },
  codes: { TooDearException: 402 },
}
const api = signed({ message: 'Message', token: 'NextToken', members: { Shelf: Type.String() }, exceptions })
const Book = named('Book', {
  Arn: Type.String(),
  Note: Type.Optional(Type.String()),
  NextToken: Type.Optional(Type.String()),
})

const books = {
  GetBook: api.get('/books/{Arn}', { summary: 'Read a book.', replies: { 200: Book } }),
  PutBook: api.put('/books/{Arn}', {
    summary: 'Write a note on a book.',
    body: named('PutBookRequest', { Note: Type.Optional(Type.String({ maxLength: 10_000 })) }),
    replies: { 200: Book },
  }),
  SellBook: api.post('/shop/sales/', {
    summary: 'Sell a book.',
    body: named('SellBookRequest', {
      Title: Type.Optional(Type.String()),
      IdempotencyToken: Type.Optional(Type.String({ maxLength: 64 })),
    }),
    replies: { 200: Book },
  }),
}

let sales = 0

/** A service in this dialect with a path that starts with its own name. */
export const shop: Service = {
  name: 'shop',
  title: 'A book shop',
  moves: 'withRows',
  apis: [
    {
      dialect: signedServer(api, {
        region: 'us-east-1',
        signingNames: ['book-shop'],
        unsupported: { 'PUT /vouchers/{code}': 'PutVoucher' },
      }),
      resources: {
        Books: implement(books, {
          async GetBook({ params }) {
            if (params.Arn === 'rare')
              throw new Failure('conflict', 'It is out of print.', { members: { Shelf: 'B7' } })
            if (params.Arn === 'dear') throw new Failure('invalid', 'It is too dear.', { code: 'TooDearException' })
            return ok({ Arn: params.Arn }, { next: 'page-two' })
          },
          async PutBook({ params, body }) {
            return ok({ Arn: params.Arn, ...body })
          },
          async SellBook({ body: { IdempotencyToken: token, ...content } }, context) {
            const sale = { operation: 'shop:SellBook', token, content }
            return ok({ Arn: await once(context, sale, async () => `sale ${++sales}`) })
          },
        }),
      },
    },
  ],
}
