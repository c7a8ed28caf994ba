import { encode } from 'uqr'
import { fill } from '../../contract/text.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { useTexts } from './texts.ts'

/** @param label content of the code, for screen readers */
export default function Qr({ text, label, size = 180 }: { text: string; label: string; size?: number }) {
  const t = useTexts(KIT_TEXTS)
  const { data, size: modules } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className="qr"
      role="img"
      aria-label={fill(t.qr, { what: label })}
      width={size}
      height={size}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
    >
      <rect width={modules} height={modules} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
