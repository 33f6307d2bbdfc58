import { escaped } from '../../text/escaped.ts'
import { type Caption, countryName } from './caption.ts'

const element = (name: string, value: string) => (value === '' ? '' : `<${name}>${escaped(value)}</${name}>`)
const inLanguage = (name: string, value: string) =>
  value === '' ? '' : `<${name}><rdf:Alt><rdf:li xml:lang="x-default">${escaped(value)}</rdf:li></rdf:Alt></${name}>`
const inOrder = (name: string, value: string) =>
  value === '' ? '' : `<${name}><rdf:Seq><rdf:li>${escaped(value)}</rdf:li></rdf:Seq></${name}>`

/** EXIF coordinate in XMP: whole degrees, decimal minutes, a letter. */
function degrees(value: number, positive: string, negative: string): string {
  const absolute = Math.abs(value)
  const whole = Math.floor(absolute)
  return `${whole},${((absolute - whole) * 60).toFixed(6)}${value < 0 ? negative : positive}`
}

/** XMP packet, for a JPEG segment or a sidecar file. */
export function xmpOf({
  headline,
  description,
  credit,
  created,
  place,
  country,
  latitude,
  longitude,
  id,
}: Caption): Buffer {
  const position =
    latitude === undefined || longitude === undefined
      ? ''
      : `<exif:GPSLatitude>${degrees(latitude, 'N', 'S')}</exif:GPSLatitude><exif:GPSLongitude>${degrees(longitude, 'E', 'W')}</exif:GPSLongitude>`
  const elements = [
    element('photoshop:Headline', headline),
    inLanguage('dc:title', headline),
    inLanguage('dc:description', description),
    inOrder('dc:creator', credit),
    element('photoshop:Credit', credit),
    element('photoshop:DateCreated', created.toISOString()),
    element('photoshop:TransmissionReference', id),
    element('Iptc4xmpCore:Location', place),
    element('Iptc4xmpCore:CountryCode', country),
    element('photoshop:Country', countryName(country)),
    position,
  ].join('')
  const spaces = [
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    'xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"',
    'xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"',
    'xmlns:exif="http://ns.adobe.com/exif/1.0/"',
  ].join(' ')
  return Buffer.from(
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${spaces}>${elements}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  )
}
