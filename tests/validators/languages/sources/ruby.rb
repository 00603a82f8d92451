# frozen_string_literal: true

require "set"

module Stock
  # Keeps count of what lies on each shelf.
  class Shelf
    include Comparable

    LIMIT = 40
    NAMES = %w[left middle right].freeze

    attr_reader :name, :items

    def initialize(name, items: [], limit: LIMIT)
      @name = name
      @items = items.map { |each| each.to_s.strip }
      @limit = limit
    end

    def self.parse(text)
      text.each_line.with_index(1) do |line, number|
        next if line.start_with?("#") || line =~ /\A\s*\z/

        key, value = line.split("=", 2)
        raise ArgumentError, "line #{number}: no value for #{key.inspect}" unless value

        yield key.to_sym, value.chomp
      end
    rescue IOError => e
      warn "unreadable: #{e.message}"
      nil
    ensure
      text.close if text.respond_to?(:close)
    end

    def <=>(other) = size <=> other.size

    def size
      items.size
    end

    def full?
      return false if items.empty?

      size >= @limit && items.none?(&:empty?)
    end

    def grade
      case size
      when 0 then :empty
      when 1..9
        :few
      else
        full? ? :full : :some
      end
    end

    def report(io = $stdout, **options)
      width = if options[:wide]
                80
              elsif options.key?(:width)
                options.fetch(:width)
              else
                40
              end
      io.puts <<~TEXT
        #{name}: #{grade}
        #{"-" * width}
      TEXT
      until items.empty?
        item = items.shift
        io.puts item.ljust(width)
                    .upcase
      end
    end
  end
end

shelf = Stock::Shelf.new("left", items: ["a", 'b'], limit: 2)
double = ->(count) { count * 2 }
total = [1, 2, 3]
  .map { |each| double.call(each) }
  .reduce(0) do |sum, each|
    sum + each
  end
puts "#{shelf.name} #{total}" unless total.zero?
