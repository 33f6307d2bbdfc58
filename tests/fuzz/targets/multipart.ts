import { bytes as file, multipart, Type } from '@icosa/contract'
import { Failure } from '@icosa/kernel'
import { multipartReader } from '../../../packages/kernel/src/http/body/multipart.ts'
import type { Target } from '../target.ts'

const schema = multipart('Form', {
  file: file({ types: ['*/*'], maxBytes: 100_000 }),
  name: Type.Optional(Type.String({ maxLength: 100 })),
  numbers: Type.Optional(Type.Array(Type.String(), { maxItems: 10 })),
})
const part = (head: string, content: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`

export const target: Target = {
  seeds: [
    `${part('name="name"', 'x')}${part('name="file"; filename="a.txt"\r\nContent-Type: text/plain', 'content')}--b--\r\n`,
    `${part('name="numbers"', '1')}${part('name="numbers"', '2')}${part('name="file"; filename*=UTF-8\'\'%e2%82%ac', 'y')}--b--`,
  ],
  dictionary: [
    '--b',
    '--b\r\n',
    '--b--',
    '\r\n\r\n',
    'name="',
    'filename="',
    '__proto__',
    'Content-Type: ',
    'Content-Transfer-Encoding: base64\r\n',
    ';',
    '%',
  ],
  refusals: [Failure],
  maxBytes: 200_000,
  run: (bytes) => multipartReader(schema, 150_000)(bytes, 'multipart/form-data; boundary=b'),
}
