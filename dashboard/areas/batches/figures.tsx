import type { BatchFigures } from '../../../contract/dashboard/batches-api.ts'
import { fill } from '../../../contract/text.ts'
import { brandName } from '../../kit/card-name.ts'
import { useMoney } from '../../kit/money.tsx'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

export type Figures = BatchFigures

interface FiguresTableProps {
  caption: string
  currency: string
  /** The columns of figures, by their headings. */
  columns: [heading: string, figures: Figures][]
}

/** Sales, refunds, voids and net: with one column of figures, or several beside each other. */
export function FiguresTable({ caption, currency, columns }: FiguresTableProps) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const counted = (count: number, cents: number) => fill(t.counted, { count, amount: money(cents, currency) })
  const rows: [label: string, text: (figures: Figures) => string][] = [
    [t.sales, ({ sales_count: count, sales_amount: amount }) => counted(count, amount)],
    [t.refunds, ({ refunds_count: count, refunds_amount: amount }) => counted(count, amount)],
    [t.voids, ({ voids_count: count, voids_amount: amount }) => counted(count, amount)],
    [t.net, ({ net_amount: amount }) => money(amount, currency)],
  ]
  return (
    <div className="table-scroll">
      <table>
        <caption className="only-read">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t.figure}</th>
            {columns.map(([heading]) => (
              <th key={heading} scope="col" className="end">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, text]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {columns.map(([heading, figures]) => (
                <td key={heading} className="end">
                  {text(figures)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface BrandsProps {
  brands: { brand: string; count: number; amount: number }[]
  currency: string
}

/** Sales by brand; renders nothing if there are none. */
export function Brands({ brands, currency }: BrandsProps) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  if (brands.length === 0) return null
  return (
    <div className="table-scroll">
      <table>
        <caption className="only-read">{t.byBrand}</caption>
        <thead>
          <tr>
            <th scope="col">{t.brand}</th>
            <th scope="col" className="end">
              {t.count}
            </th>
            <th scope="col" className="end">
              {t.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {brands.map(({ brand, count, amount }) => (
            <tr key={brand}>
              <th scope="row">{brandName(brand)}</th>
              <td className="end">{count}</td>
              <td className="end">{money(amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
