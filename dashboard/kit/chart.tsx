import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { useId, useState } from 'react'
import { KIT_TEXTS } from './kit-texts.ts'
import { useTexts } from './texts.ts'

export interface Series {
  id: string
  label: string
  tone: 'good' | 'warn' | 'bad' | 'info' | 'plain'
}

interface StackedBarsProps {
  /** Summary of the chart in a sentence. */
  title: string
  series: Series[]
  rows: { label: string /** Under the bar; every row's label unless given. */; short?: string; values: number[] }[]
  /** Formats a value: an amount, a count. */
  format(value: number): string
  /** Heading of the first column in the table. */
  rowHeading: string
}

/** Width until the page is measured. */
const FIRST_WIDTH = 720
const MIN_WIDTH = 240
/** Width of a label under the bars, including the space beside it. */
const LABEL_WIDTH = 76
const HEIGHT = 220
/** Width of a character in a label beside the bars, and the space around the label. */
const CHARACTER_WIDTH = 6.6
const LABEL_SPACE = 14
const BOTTOM = 24
const TICKS = 4

/** Stacked bars, with the same numbers as a table. */
export function StackedBars(props: StackedBarsProps) {
  const t = useTexts(KIT_TEXTS)
  const [isTable, setTable] = useState(false)
  const id = useId()
  const { title, series } = props
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <Bars {...props} />
      <ul className="legend" aria-hidden="true">
        {series.map(({ id: key, label, tone }) => (
          <li key={key} data-tone={tone}>
            {label}
          </li>
        ))}
      </ul>
      <Button variant="default" size="sm" aria-expanded={isTable} aria-controls={id} onClick={() => setTable(!isTable)}>
        {t.chartTable}
      </Button>
      <div id={id} className={isTable ? 'table-scroll' : 'only-read'}>
        <BarsTable {...props} />
      </div>
    </figure>
  )
}

/** Bars as wide as their container, with one unit per pixel, so that text has the same size on every screen. */
function Bars({ rows, series, format }: StackedBarsProps) {
  const { ref, width: measured } = useElementSize<HTMLDivElement>()
  const width = Math.max(MIN_WIDTH, measured || FIRST_WIDTH)
  const layers = stackOf(series, rows)
  const tops = (layers.at(-1) ?? []).map(([, top]) => top)
  const y = scaleLinear([0, Math.max(1, ...tops)], [HEIGHT - BOTTOM, 8]).nice(TICKS)
  const ticks = y.ticks(TICKS).map((tick) => ({ tick, label: format(tick) }))
  const left = Math.max(...ticks.map(({ label }) => label.length)) * CHARACTER_WIDTH + LABEL_SPACE
  const x = scaleBand(
    rows.map((_row, index) => String(index)),
    [left, width],
  ).padding(0.2)
  const every = Math.ceil(rows.length / Math.max(1, Math.floor((width - left) / LABEL_WIDTH)))
  return (
    <div ref={ref} className="bars">
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} aria-hidden="true">
        {ticks.map(({ tick, label }) => (
          <g key={tick}>
            <line x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
            <text x={left - 8} y={y(tick) + 4} textAnchor="end">
              {label}
            </text>
          </g>
        ))}
        {layers.map((layer) => (
          <g key={layer.key.id}>
            {layer.map(([from, to], index) => (
              <rect
                key={rows[index]?.label}
                data-tone={layer.key.tone}
                x={x(String(index))}
                width={x.bandwidth()}
                y={y(to)}
                height={y(from) - y(to)}
              />
            ))}
          </g>
        ))}
        {rows.map(
          (row, index) =>
            index % every === 0 && (
              <text key={row.label} x={(x(String(index)) ?? 0) + x.bandwidth() / 2} y={HEIGHT - 6} textAnchor="middle">
                {row.short ?? row.label}
              </text>
            ),
        )}
      </svg>
    </div>
  )
}

/** Returns where each part of each bar begins and ends, as one layer per series. */
const stackOf = (series: Series[], rows: StackedBarsProps['rows']) =>
  stack<StackedBarsProps['rows'][number], Series>()
    .keys(series)
    .value(({ values }, part) => values[series.indexOf(part)] ?? 0)(rows)

function BarsTable({ title, rows, series, format, rowHeading }: StackedBarsProps) {
  return (
    <table>
      <caption className="only-read">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{rowHeading}</th>
          {series.map(({ id, label }) => (
            <th key={id} scope="col" className="end">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, values }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {values.map((value, index) => (
              <td key={series[index]?.id} className="end">
                {format(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
