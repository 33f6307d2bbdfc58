import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Caption } from './caption.ts'
import { captionSegments, startOfImage } from './jpeg.ts'
import { xmpOf } from './xmp.ts'

const run = promisify(execFile)

const caption: Caption = {
  headline: 'Flood <in> the "Old" Town & beyond – 洪水',
  description: `Water up to the windows.\u0000 ${'long '.repeat(20_000)}`,
  credit: 'Zoë Ångström',
  created: new Date('2026-02-03T04:05:06Z'),
  place: 'Zürich, Limmatquai',
  country: 'CH',
  latitude: -47.3712,
  longitude: 8.5423,
  id: 'contribution-1',
}

/** Metadata by exiftool, with validation warnings. */
async function metadataOf(name: string, content: Buffer): Promise<Record<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-tags-'))
  try {
    const path = join(folder, name)
    await writeFile(path, content)
    const { stdout } = await run('exiftool', ['-json', '-G', '-n', '-validate', '-warning', '-a', '-all', path])
    return (JSON.parse(stdout) as Record<string, unknown>[])[0] ?? {}
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('exiftool reads headline, credit and place from XMP and IPTC of a JPEG, which stays valid', async () => {
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#357' } })
    .jpeg()
    .toBuffer()
  const tagged = Buffer.concat([startOfImage, captionSegments(caption), picture.subarray(2)])
  expect(await sharp(tagged).metadata()).toMatchObject({ width: 40, height: 30 })
  const metadata = await metadataOf('tagged.jpg', tagged)
  expect(metadata).toMatchObject({
    'XMP:Headline': caption.headline,
    'XMP:Credit': caption.credit,
    'XMP:Creator': caption.credit,
    'XMP:Location': caption.place,
    'XMP:CountryCode': 'CH',
    'IPTC:Country-PrimaryLocationName': 'Switzerland',
    'XMP:GPSLatitude': -47.3712,
    'XMP:GPSLongitude': 8.5423,
    'IPTC:Headline': caption.headline,
    'IPTC:Credit': caption.credit,
    'IPTC:Sub-location': caption.place,
    'IPTC:DateCreated': '2026:02:03',
    'IPTC:CodedCharacterSet': '\u001b%G',
    'ExifTool:Validate': '0 0 0',
  })
  expect(String(metadata['IPTC:Caption-Abstract'])).toMatch(/^Water up to the windows\. long/)
})

test('a film gets the same metadata as a sidecar file', async () => {
  const metadata = await metadataOf('film.xmp', xmpOf(caption))
  expect(metadata).toMatchObject({ 'XMP:Headline': caption.headline, 'XMP:Location': caption.place })
})
