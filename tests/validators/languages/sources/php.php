<?php

declare(strict_types=1);

namespace App\Store;

use InvalidArgumentException;
use App\Contracts\{Reader, Writer};

/**
 * A store of {things}.
 */
#[Attribute]
final class Store extends Base implements \Countable
{
    public const LIMIT = 10;

    private array $kept = [
        'one' => 1,
        'two' => ['nested', "{$quoted}"],
    ];

    public function __construct(private readonly ?Reader $reader = null, protected string $label = '')
    {
        parent::__construct();
    }

    public function put(string $key, int|float $value): static
    {
        if (\count($this->kept) >= self::LIMIT) {
            throw new InvalidArgumentException(sprintf('The store "%s" is full (%d).', $key, self::LIMIT));
        } elseif (isset($this->kept[$key])) {
            return $this;
        }
        $this->kept[$key] = $value; # a comment {
        foreach ($this->kept as $name => $each) {
            echo "{$name}: ${each}\n", PHP_EOL;
        }

        return $this;
    }

    public function describe(): string
    {
        $names = array_map(fn ($each) => strtolower($each), array_keys($this->kept));
        $text = <<<EOT
            A store of {$names[0]} (and more
            EOT;

        return match (true) {
            $this->reader?->isOpen() => $text . implode(', ', $names),
            default => static function () use ($text): string {
                return $text;
            },
        };
    }

    public function count(): int
    {
        return count($this->kept);
    }
}
?>
<p>It's <?= $label ?> (unbalanced</p>
