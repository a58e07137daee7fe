import type { ReactNode } from 'react';
import { classNames } from './class-names';

interface TableColumn {
  key: string;
  label: string;
  /** Numbers stand right, text left. */
  align?: 'left' | 'right';
  /** The label is for screen readers only (a column of actions). */
  hidden?: boolean;
  className?: string;
}

interface TableProps {
  /** What the table holds, for screen readers. */
  caption: string;
  columns: readonly TableColumn[];
  /** `<tr>` rows of `<td>`; class `r` aligns right, `cell-2` stacks two lines (paper.css). */
  children: ReactNode;
  className?: string;
}

/** A table with a sticky head. Main lists show two-line rows instead of it below 48rem. */
export function Table({ caption, columns, children, className }: TableProps) {
  return (
    <table className={classNames('table', className)}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.key} scope="col" className={classNames(column.align === 'right' && 'r', column.className)}>
              {column.hidden ? <span className="sr-only">{column.label}</span> : column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
