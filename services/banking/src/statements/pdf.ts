const linesOnPage = 55
const lineHeight = 13

/** Replaces letters missing from the built-in PDF fonts with question marks. */
const latin = (text: string) =>
  [...text.normalize('NFC')].map((letter) => ((letter.codePointAt(0) ?? 0) <= 255 ? letter : '?')).join('')

const escaped = (text: string) =>
  latin(text)
    .replace(/[\\()]/g, (sign) => `\\${sign}`)
    .replace(/[\r\n]/g, ' ')

type Lines = AsyncIterable<readonly string[]> | Iterable<readonly string[]>

/** Streams lines of text as A4 pages; only the offset of each page stays in memory. */
export async function* pdfOf(lines: Lines, title: string): AsyncGenerator<Buffer> {
  const offsets: number[] = []
  let length = 0
  const encode = (text: string) => {
    length += text.length
    return Buffer.from(text, 'latin1')
  }
  const object = (number: number, content: string) => {
    offsets[number] = length
    return encode(`${number} 0 obj\n${content}\nendobj\n`)
  }
  yield encode('%PDF-1.4\n')
  yield object(1, '<< /Type /Catalog /Pages 2 0 R >>')
  yield object(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>')
  yield object(4, `<< /Title (${escaped(title)}) >>`)
  const pages: number[] = []
  for await (const page of pagesOf(lines)) {
    const number = offsets.length
    pages.push(number)
    const text = page.map((line) => `(${escaped(line)}) Tj T*`).join('\n')
    const content = `BT /F1 9 Tf ${lineHeight} TL 40 800 Td\n${text}\nET`
    const resources = '/MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>'
    yield object(number, `<< /Type /Page /Parent 2 0 R ${resources} /Contents ${number + 1} 0 R >>`)
    yield object(number + 1, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
  }
  yield object(
    2,
    `<< /Type /Pages /Kids [${pages.map((number) => `${number} 0 R`).join(' ')}] /Count ${pages.length} >>`,
  )
  const start = length
  const table = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const size = offsets.length
  yield encode(`xref\n0 ${size}\n0000000000 65535 f \n${table.join('')}`)
  yield encode(`trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${start}\n%%EOF\n`)
}

async function* pagesOf(lines: Lines): AsyncGenerator<readonly string[]> {
  let buffered: string[] = []
  for await (const chunk of lines) {
    buffered.push(...chunk)
    for (; buffered.length > linesOnPage; buffered = buffered.slice(linesOnPage)) yield buffered.slice(0, linesOnPage)
  }
  yield buffered
}
