import { QRCodeSVG } from 'qrcode.react';
import type { Coin } from '@/lib/shared/coins';
import { QR_SIZE_PX } from '@/lib/shared/limits';
import { CoinGlyph } from './coin-token';

interface QrCardProps {
  /** What the code says. */
  value: string;
  /** Error correction: H for wallets, invoices and the pay page, M for exchanges. */
  level: 'H' | 'M';
  /** For screen readers: "Codice QR dell'indirizzo". */
  label: string;
  /** Glyph in the middle, at level H only: it hides about 3 % of the code, H restores 30 %. */
  coin?: Coin;
}

/** A QR code, 180 px, dark on a white tile in both themes. */
export function QrCard({ value, level, label, coin }: QrCardProps) {
  return (
    <div className="relative grid w-max place-items-center rounded-lg border border-line bg-qr-tile p-5 text-qr">
      <QRCodeSVG
        value={value}
        level={level}
        size={QR_SIZE_PX}
        bgColor="transparent"
        fgColor="currentColor"
        role="img"
        aria-label={label}
      />
      {coin && level === 'H' && (
        <span className="absolute grid size-8 place-items-center rounded-sm bg-qr-tile">
          <CoinGlyph coin={coin} className="size-6" />
        </span>
      )}
    </div>
  );
}
